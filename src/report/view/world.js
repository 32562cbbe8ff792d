// ---- the scene as three.js sees it ---------------------------------------------------------------

const bodyColours = 4;  // body-0, body-1, … of the style sheet

class View {
  constructor(root, canvas, scene) {
    Object.assign(this, { root, scene });
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 100);
    this.faces = [];
    this.bores = [];
    this.arrows = [];
    this.showForces = this.showPaths = true;
    this.makeParts();
    const home = this.makeHome();
    this.makeBores(home);
    this.makePaths();
    this.makeLights();
    this.orbit = new Orbit(this.camera, home);
    this.restyle();
  }

  makeParts() {
    const anyFree = this.scene.parts.some(part => part.role === 'free');
    let moving = 0, coloured = 0;
    this.parts = this.scene.parts.map(part => {
      const made = { ...part, index: part.role === 'fixed' ? -1 : moving++ };
      const geometry = geometryOf(part.shape, this.scene.meshes);
      if (part.role === 'free' || (part.role === 'driven' && !anyFree)) made.colour = coloured++;
      if (part.shape.kind === 'half-space') {
        made.face = makeFace();
        made.group = made.face.group;
        this.faces.push(made.face);
      } else {
        made.group = new THREE.Group();
        if (part.shape.kind === 'bore') this.bores.push(made);
        if (geometry) this.addSolid(made, geometry);
      }
      const [x, y, z, ...q] = part.pose;
      made.group.position.set(x, y, z);
      made.group.quaternion.set(...q);
      made.group.updateMatrixWorld();
      this.world.add(made.group);
      return made;
    });
    cutFaces(this.faces);
  }

  // What stands still is glass, so that one sees what happens in it.
  addSolid(part, geometry) {
    const glass = part.role === 'fixed';
    part.material = new THREE.MeshPhongMaterial({ vertexColors: THREE.VertexColors, shininess: 35,
      specular: 0x222222, transparent: glass, opacity: glass ? 0.32 : 1, depthWrite: !glass });
    const body = new THREE.Mesh(geometry, part.material);
    body.castShadow = !glass;
    body.receiveShadow = !glass;
    body.renderOrder = glass ? 3 : 0;
    part.group.add(body);
    if (hasEdges(part.shape.kind)) {
      part.edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 28),
        new THREE.LineBasicMaterial({ transparent: true, opacity: glass ? 0.6 : 0.75 }));
      part.group.add(part.edges);
    }
    geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere;
    part.radius = center.length() + radius;
    geometry.computeBoundingBox();
    part.box = geometry.boundingBox;
    part.outline = [];
    const p = geometry.attributes.position, stride = Math.max(1, Math.floor(p.count / 96));
    for (let i = 0; i < p.count; i += stride) {
      part.outline.push(new THREE.Vector3().fromBufferAttribute(p, i));
    }
  }

  makeHome() {
    const moving = this.parts.filter(part => part.index >= 0);
    const sizes = this.parts.filter(part => part.index < 0 && part.box).map(part => ({
      box: part.box.clone().applyMatrix4(part.group.matrixWorld), radius: part.radius }));
    const extent = extentOf(this.scene, moving.map(part => part.outline || []), sizes);
    const z = part => new THREE.Vector3(0, 0, 1).applyQuaternion(part.group.quaternion);
    for (const bore of this.bores) {  // its whole section, where something moves
      const axis = z(bore), at = bore.group.position;
      const reach = k => bore.shape.radius * Math.sqrt(Math.max(0, 1 - axis[k] * axis[k]));
      const out = new THREE.Vector3(reach('x'), reach('y'), reach('z'));
      for (const place of extent.places) {
        const p = at.clone().addScaledVector(axis, place.clone().sub(at).dot(axis));
        extent.box.expandByPoint(p.clone().add(out)).expandByPoint(p.sub(out));
      }
    }
    if (extent.box.isEmpty()) extent.box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(2, 2, 2));
    const radius = Math.max(1e-9, extent.box.getSize(new THREE.Vector3()).length() / 2);
    const alone = moving.filter(part => part.role === 'free').length === 1;
    const together = (alone ? 2.6 : 1.4) * (extent.together || radius);
    const normals = this.parts.filter(part => part.face).map(z);
    return {
      ...chooseDirection(extent.places, normals, this.bores.map(z)),
      middle: extent.box.getCenter(new THREE.Vector3()), radius, together: Math.min(radius, together),
      contacts: this.closeUp(extent, radius), framing: radius > 5 * together ? 'follow' : 'all',
      corners: cornersOf(extent.box), places: extent.places,
    };
  }

  // Where bodies touch, if that is small beside all there is.
  closeUp({ touched }, whole) {
    if (touched.isEmpty()) return null;
    const radius = Math.max(0.62 * touched.getSize(new THREE.Vector3()).length(), 0.03 * whole);
    return radius < 0.4 * whole ? { middle: touched.getCenter(new THREE.Vector3()), radius } : null;
  }

  makeBores(home) {
    for (const part of this.bores) {
      const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(part.group.quaternion);
      let from = Infinity, to = -Infinity;
      for (const place of home.places) {
        const along = place.clone().sub(part.group.position).dot(axis);
        from = Math.min(from, along);
        to = Math.max(to, along);
      }
      if (!(from <= to)) from = to = 0;
      const margin = Math.max(0.15 * (to - from), 0.4 * part.shape.radius);
      part.bore = makeBore(part.shape.radius, from - margin, to + margin);
      part.group.add(part.bore.group);
    }
  }

  makePaths() {
    this.paths = [];
    const traced = this.parts.filter(part => part.index >= 0 && part.traced);
    if (traced.length > 12) return;
    for (const part of traced) {
      const n = this.scene.t.length, points = new Float32Array(3 * n);
      for (let i = 0; i < n; ++i) {
        const { position, rotation } = framePose(this.scene, i, part.index);
        const local = new THREE.Vector3(...part.traced).applyQuaternion(rotation);
        position.add(local).toArray(points, 3 * i);
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
      const line = new THREE.Line(geometry,
        new THREE.LineBasicMaterial({ transparent: true, opacity: 0.8 }));
      line.frustumCulled = false;
      this.world.add(line);
      this.paths.push({ line, part });
    }
  }

  makeLights() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0xb4b4bf, 0.86);
    this.sun = new THREE.DirectionalLight(0xffffff, 0.42);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.world.add(this.sky, this.sun, this.sun.target);
  }

  // The sun stands with the middle of the view: shadows are as sharp as the view is close.
  moveSun(middle, radius) {
    const from = new THREE.Vector3(-0.45, -0.5, 1).normalize();
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(from, 6 * radius);
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -2 * radius, right: 2 * radius, top: 2 * radius, bottom: -2 * radius,
      near: radius / 10, far: 14 * radius });
    camera.updateProjectionMatrix();
    this.sun.target.updateMatrixWorld();
  }

  restyle() {
    const colour = name => colourOf(this.root, name);
    this.renderer.setClearColor(colour('sky'));
    this.colours = { normal: colour('normal'), friction: colour('friction') };
    for (const part of this.parts) {
      const name = part.colour === undefined ? part.role : `body-${part.colour % bodyColours}`;
      if (part.material) part.material.color.copy(colour(name));
      if (part.edges) part.edges.material.color.copy(colour('outline'));
      if (part.face) {
        part.face.face.material.uniforms.ground.value = colour('ground');
        part.face.face.material.uniforms.line.value = colour('cells');
      }
      if (part.bore) {
        for (const wall of part.bore.walls) wall.material.color.copy(colour('ground'));
        part.bore.grid.material.color.copy(colour('cells'));
      }
    }
    for (const { line, part } of this.paths) {
      line.material.color.copy(colour(`body-${(part.colour || 0) % bodyColours}`));
    }
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.width = width;
    this.height = height;
  }

  // The corner of the picture that shows the contacts from near, in pixels from above left; null
  // where the whole picture does, or nothing touches on a small place.
  get inset() {
    if (this.orbit.framing !== 'all' || !this.orbit.home.contacts) return null;
    const side = Math.round(Math.min(0.46 * this.height, 0.42 * this.width));
    return { x: this.width - side - 10, y: 10, side };
  }

  // Pixels of a full arrow at the middle of the view.
  get arrowPixels() {
    return 0.5 * this.orbit.radius * this.height /
      (2 * Math.tan(this.camera.fov * Math.PI / 360) * this.orbit.distance);
  }

  moveParts(time) {
    const other = new THREE.Quaternion(), sum = new THREE.Vector3();
    const free = this.parts.some(part => part.role === 'free');
    let count = 0;
    for (const part of this.parts) {
      if (part.index < 0) continue;
      poseAt(this.scene, part.index, time, part.group.position, part.group.quaternion, other);
      if (free && part.role !== 'free') continue;
      sum.add(part.group.position);
      ++count;
    }
    if (count > 0) this.orbit.subject.copy(sum.divideScalar(count));
    if (this.parts.some(part => part.face && part.index >= 0)) cutFaces(this.faces);
    const frame = frameAt(this.scene, time);
    for (const { line } of this.paths) {
      line.visible = this.showPaths;
      line.geometry.setDrawRange(0, frame + 1);
    }
  }

  // The largest forces that act now, N, and the force of a full arrow.
  moveArrows(time, radius) {
    const forces = forcesAt(this.scene, time), full = this.scene.scales[frameAt(this.scene, time)];
    const size = 0.5 * radius, most = { normal: 0, friction: 0, full };
    const point = new THREE.Vector3(), force = new THREE.Vector3();
    let used = 0;
    for (let k = 0; k < forces.length; k += 9) {
      ['normal', 'friction'].forEach((kind, i) => {
        force.fromArray(forces, k + 3 + 3 * i);
        const strength = force.length();
        most[kind] = Math.max(most[kind], strength);
        if (!(strength > 0) || !this.showForces) return;
        if (used === this.arrows.length) this.arrows.push(new Arrow(this.world));
        this.arrows[used++].show(point.fromArray(forces, k), force.normalize(),
          size * strength / full, size, this.colours[kind]);
      });
    }
    for (; used < this.arrows.length; ++used) this.arrows[used].group.visible = false;
    return most;
  }

  draw(time) {
    this.moveParts(time);
    const { renderer, camera, orbit, inset } = this;
    const { middle, radius, distance, zoom } = orbit;
    const most = this.moveArrows(time, radius);
    camera.aspect = this.width / this.height;
    orbit.place();
    const reach = Math.min(1.6 * distance, 8 * radius * Math.max(1, zoom));
    for (const face of this.faces) layFace(face, middle, reach, roundUp(radius / 8));
    this.moveSun(middle, radius);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, this.width, this.height);
    renderer.render(this.world, camera);
    if (inset) this.drawInset(time, inset);
    return most;
  }

  drawInset(time, { x, y, side }) {
    const { renderer, camera, orbit } = this, { middle, radius } = orbit.home.contacts;
    this.moveArrows(time, 1.8 * radius);  // the corner is small: its arrows are not
    camera.aspect = 1;
    orbit.placeAtContacts();
    this.moveSun(middle, radius);
    for (const set of ['setViewport', 'setScissor']) {
      renderer[set](x, this.height - y - side, side, side);
    }
    renderer.setScissorTest(true);
    renderer.render(this.world, camera);
    camera.aspect = this.width / this.height;
    orbit.place();
  }
}
