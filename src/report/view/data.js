// ---- what the page holds of a scene -----------------------------------------------------------

function bytesOf(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

const floatsOf = text => new Float32Array(bytesOf(text));

// 1, 2 or 5 times a power of ten, not below x.
function roundUp(x) {
  const decade = Math.pow(10, Math.floor(Math.log10(x)));
  return decade * [1, 2, 5, 10].find(m => m * decade >= x * (1 - 1e-9));
}

const length3 = (list, i) => Math.hypot(list[i], list[i + 1], list[i + 2]);

// Frames with their times, the poses of the parts that move and the forces that act; numbers of a
// force: point, normal, friction.
function readScene(json) {
  const t = floatsOf(json.t), poses = floatsOf(json.poses), forces = floatsOf(json.forces);
  const counts = new Uint16Array(bytesOf(json.counts)), first = [0];
  for (const count of counts) first.push(first[first.length - 1] + count);
  const moving = json.parts.filter(part => part.role !== 'fixed').length;
  const scene = {
    parts: json.parts, meshes: json.meshes.map(mesh => ({
      vertices: floatsOf(mesh.vertices),
      triangles: mesh.wide ? new Uint32Array(bytesOf(mesh.triangles))
                           : new Uint16Array(bytesOf(mesh.triangles)),
    })),
    stages: json.stages, t, poses, forces, first, moving,
    start: t[0], end: t[t.length - 1],
  };
  scene.scales = forceScales(scene);
  return scene;
}

// The last frame not after `time`.
function frameAt(scene, time) {
  let low = 0, high = scene.t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (scene.t[middle] <= time) low = middle; else high = middle - 1;
  }
  return low;
}

// Position and rotation of moving part k between two frames.
function poseAt(scene, k, time, position, rotation, other) {
  const i = frameAt(scene, time), j = Math.min(i + 1, scene.t.length - 1);
  const gap = scene.t[j] - scene.t[i], share = gap > 0 ? (time - scene.t[i]) / gap : 0;
  const a = 7 * (i * scene.moving + k), b = 7 * (j * scene.moving + k), p = scene.poses;
  position.set(p[a], p[a + 1], p[a + 2]);
  rotation.set(p[a + 3], p[a + 4], p[a + 5], p[a + 6]);
  position.x += share * (p[b] - p[a]);
  position.y += share * (p[b + 1] - p[a + 1]);
  position.z += share * (p[b + 2] - p[a + 2]);
  rotation.slerp(other.set(p[b + 3], p[b + 4], p[b + 5], p[b + 6]), share);
}

function framePose(scene, i, k) {
  const a = 7 * (i * scene.moving + k);
  return { position: new THREE.Vector3().fromArray(scene.poses, a),
    rotation: new THREE.Quaternion().fromArray(scene.poses, a + 3) };
}

// Points, normal forces and frictions, nine numbers each, blended between two frames with equally
// many; towards a frame without any they fade, since it is there that the bodies part.
function forcesAt(scene, time) {
  const i = frameAt(scene, time), j = Math.min(i + 1, scene.t.length - 1);
  const gap = scene.t[j] - scene.t[i], share = gap > 0 ? (time - scene.t[i]) / gap : 0;
  const of = frame => scene.forces.subarray(9 * scene.first[frame], 9 * scene.first[frame + 1]);
  const before = of(i), after = of(j);
  if (before.length === after.length) return before.map((x, k) => x + share * (after[k] - x));
  if (after.length === 0) return before.map((x, k) => k % 9 < 3 ? x : (1 - share) * x);
  return share < 0.5 ? before : after;
}

// The force of a full arrow at each frame: the largest around it, so that a resting ball has arrows
// to be seen although it hit the floor a hundred times harder, and both keep their scale meanwhile.
function forceScales(scene) {
  const n = scene.t.length, most = new Float64Array(n), scales = new Float64Array(n);
  for (let i = 0; i < n; ++i) {
    for (let k = scene.first[i]; k < scene.first[i + 1]; ++k) {
      most[i] = Math.max(most[i], length3(scene.forces, 9 * k + 3), length3(scene.forces, 9 * k + 6));
    }
  }
  const reach = 0.025 * (scene.end - scene.start);
  let low = 0, high = 0, last = 0;
  for (let i = 0; i < n; ++i) {
    while (scene.t[i] - scene.t[low] > reach) ++low;
    while (high < n && scene.t[high] - scene.t[i] <= reach) ++high;
    let here = 0;
    for (let j = low; j < high; ++j) here = Math.max(here, most[j]);
    if (here > 0) last = roundUp(here);
    scales[i] = last;
  }
  for (let i = n - 2; i >= 0; --i) if (scales[i] === 0) scales[i] = scales[i + 1];
  return scales;
}

function stageAt(scene, time) {
  return scene.stages.findIndex(([from, to], i) =>
    time >= from && (time < to || (i === scene.stages.length - 1 && time <= to)));
}
