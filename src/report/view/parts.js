// ---- shapes -----------------------------------------------------------------------------------

// Two shades, so that one sees a ball roll. `odd` tells by the middle of a triangle.
function shaded(indexed, odd) {
  const geometry = indexed.index ? indexed.toNonIndexed() : indexed;
  const p = geometry.attributes.position, colours = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) {
    const middle = k => p.array[3 * i + k] + p.array[3 * i + 3 + k] + p.array[3 * i + 6 + k];
    colours.fill(odd(middle(0), middle(1), middle(2)) ? 0.74 : 1, 3 * i, 3 * i + 9);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return geometry;
}

const octants = (x, y, z) => x * y * z > 0, quarters = (x, y) => x * y > 0, plain = () => false;
// three.js has its axes of rotation along y, we along z.
const upright = geometry => geometry.rotateX(Math.PI / 2);

function capsuleGeometry({ radius, length }) {
  const outline = [], n = 12;
  for (let i = 0; i <= 2 * n + 1; ++i) {
    const angle = Math.PI / 2 * ((i <= n ? i : i - 1) / n - 1);
    const shift = (i <= n ? -1 : 1) * length / 2;
    outline.push(new THREE.Vector2(Math.max(1e-9, radius * Math.cos(angle)),
      shift + radius * Math.sin(angle)));
  }
  return upright(new THREE.LatheBufferGeometry(outline, 48));
}

function meshGeometry({ vertices, triangles }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(vertices, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

// Of bounded shapes, in their own frames.
function geometryOf(shape, meshes) {
  const ball = () => upright(new THREE.SphereBufferGeometry(1, 48, 24));
  switch (shape.kind) {
    case 'sphere': return shaded(ball().scale(shape.radius, shape.radius, shape.radius), octants);
    case 'ellipsoid': return shaded(ball().scale(...shape.radii), octants);
    case 'box': return shaded(new THREE.BoxBufferGeometry(...shape.size), plain);
    case 'cylinder': return shaded(upright(
      new THREE.CylinderBufferGeometry(shape.radius, shape.radius, shape.length, 64)), quarters);
    case 'cone': return shaded(upright(
      new THREE.ConeBufferGeometry(shape.radius, shape.length, 64)), quarters);
    case 'capsule': return shaded(capsuleGeometry(shape), quarters);
    case 'mesh': return shaded(meshGeometry(meshes[shape.mesh]), plain);
    default: return null;  // point, half-space, bore: their size is that of the view
  }
}

const hasEdges = kind => ['box', 'cylinder', 'cone', 'mesh'].includes(kind);

// ---- colours, which the style sheet knows ------------------------------------------------------

function colourOf(root, name) {
  return new THREE.Color(getComputedStyle(root).getPropertyValue('--' + name).trim());
}

// ---- half-spaces: a face that fades, with a grid that stands still ------------------------------

const faceVertex = `
varying vec3 place;
varying vec2 local;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  local = position.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;
const faceFragment = `
uniform vec3 middle, ground, line;
uniform float reach, spacing;
uniform vec4 others[4];
varying vec3 place;
varying vec2 local;
float lines(vec2 at, float width) {
  vec2 off = abs(fract(at - 0.5) - 0.5) / fwidth(at);
  return 1.0 - smoothstep(0.0, width, min(off.x, off.y));
}
void main() {
  for (int i = 0; i < 4; ++i) if (dot(others[i].xyz, place) < others[i].w) discard;
  float fade = 1.0 - smoothstep(0.35 * reach, reach, distance(place, middle));
  float grid = max(0.4 * lines(local / spacing, 1.3), lines(local / (5.0 * spacing), 1.6));
  gl_FragColor = vec4(mix(ground, line, grid), fade * (gl_FrontFacing ? 0.94 : 0.3));
}`;

function makeFace() {
  const none = new THREE.Vector4(0, 0, 0, -1);
  const material = new THREE.ShaderMaterial({
    vertexShader: faceVertex, fragmentShader: faceFragment, transparent: true, depthWrite: false,
    side: THREE.DoubleSide, extensions: { derivatives: true },
    uniforms: {
      middle: { value: new THREE.Vector3() }, ground: { value: null }, line: { value: null },
      reach: { value: 1 }, spacing: { value: 1 }, others: { value: [none, none, none, none] },
    },
  });
  const group = new THREE.Group(), square = new THREE.PlaneBufferGeometry(2, 2);
  const face = new THREE.Mesh(square, material);
  const shadow = new THREE.Mesh(square, new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false }));
  shadow.receiveShadow = true;
  face.renderOrder = -2;
  shadow.renderOrder = -1;
  for (const mesh of [face, shadow]) mesh.frustumCulled = false;
  group.add(face, shadow);
  return { group, face, shadow };
}

// Its square is laid around the middle of the view, at whole cells of the grid.
function layFace({ group, face, shadow }, middle, reach, spacing) {
  group.updateMatrixWorld();
  const local = group.worldToLocal(middle.clone()), cell = 5 * spacing;
  const x = cell * Math.round(local.x / cell), y = cell * Math.round(local.y / cell);
  const half = reach + cell, p = face.geometry.attributes.position;
  [[-1, 1], [1, 1], [-1, -1], [1, -1]].forEach(([i, j], k) => p.setXY(k, x + i * half, y + j * half));
  p.needsUpdate = true;
  const u = face.material.uniforms;
  u.middle.value.copy(group.localToWorld(new THREE.Vector3(local.x, local.y, 0)));
  u.reach.value = reach;
  u.spacing.value = spacing;
  shadow.geometry = face.geometry;
}

// One solid's face ends where it enters another's.
function cutFaces(faces) {
  const planes = faces.map(({ group }) => {
    group.updateMatrixWorld();
    const n = new THREE.Vector3(0, 0, 1).applyQuaternion(group.quaternion);
    return new THREE.Vector4(n.x, n.y, n.z, n.dot(group.position));
  });
  faces.forEach(({ face }, i) => {
    const others = planes.filter((_, j) => j !== i).slice(0, 4);
    while (others.length < 4) others.push(new THREE.Vector4(0, 0, 0, -1));
    face.material.uniforms.others.value = others;
  });
}

// ---- bores: seen from inside, and through from outside -------------------------------------------

function makeBore(radius, from, to) {
  const group = new THREE.Group(), length = to - from, middle = (from + to) / 2;
  const tube = upright(new THREE.CylinderBufferGeometry(radius, radius, length, 96, 1, true));
  tube.translate(0, 0, middle);
  const wall = (side, opacity) => new THREE.Mesh(tube, new THREE.MeshPhongMaterial({
    side, transparent: true, opacity, depthWrite: false, shininess: 10 }));
  const inside = wall(THREE.BackSide, 0.85), outside = wall(THREE.FrontSide, 0.08);
  inside.receiveShadow = true;
  inside.renderOrder = -2;
  const points = [], spacing = roundUp(length / 12);
  const ring = z => {
    for (let i = 0; i < 96; ++i) {
      for (const k of [i, i + 1]) {
        points.push(radius * Math.cos(k * Math.PI / 48), radius * Math.sin(k * Math.PI / 48), z);
      }
    }
  };
  ring(from);
  ring(to);
  for (let z = spacing * Math.ceil(from / spacing); z < to; z += spacing) ring(z);
  for (let i = 0; i < 24; ++i) {
    const x = radius * Math.cos(i * Math.PI / 12), y = radius * Math.sin(i * Math.PI / 12);
    points.push(x, y, from, x, y, to);
  }
  const lines = new THREE.BufferGeometry();
  lines.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  const grid = new THREE.LineSegments(lines,
    new THREE.LineBasicMaterial({ transparent: true, opacity: 0.5 }));
  grid.renderOrder = -1;
  group.add(inside, outside, grid);
  return { group, walls: [inside, outside], grid };
}

// ---- arrows -------------------------------------------------------------------------------------

// Drawn twice: what is hidden by a body still shines through it.
class Arrow {
  constructor(scene) {
    this.group = new THREE.Group();
    this.materials = [false, true].map(hidden => new THREE.MeshBasicMaterial({
      transparent: true, opacity: hidden ? 0.6 : 1, depthTest: !hidden, depthWrite: !hidden }));
    const shaft = upright(new THREE.CylinderBufferGeometry(1, 1, 1, 16)).translate(0, 0, 0.5);
    const head = upright(new THREE.ConeBufferGeometry(1, 1, 20)).translate(0, 0, 0.5);
    this.shafts = [];
    this.heads = [];
    this.materials.forEach((material, i) => {
      for (const [list, geometry] of [[this.shafts, shaft], [this.heads, head]]) {
        const mesh = new THREE.Mesh(geometry, material);
        mesh.renderOrder = 10 - i;
        list.push(mesh);
        this.group.add(mesh);
      }
    });
    scene.add(this.group);
  }

  // From `point` along `direction`; thickness and head shrink with short arrows.
  show(point, direction, length, size, colour) {
    this.group.visible = length > 1e-3 * size;
    if (!this.group.visible) return;
    const head = Math.min(0.12 * size, 0.5 * length), thick = Math.min(0.018 * size, 0.12 * length);
    this.group.position.copy(point);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), direction);
    for (const mesh of this.shafts) mesh.scale.set(thick, thick, length - 0.9 * head);
    for (const mesh of this.heads) {
      mesh.scale.set(0.36 * head, 0.36 * head, head);
      mesh.position.z = length - head;
    }
    for (const material of this.materials) material.color.copy(colour);
  }
}
