// ---- what there is to see ------------------------------------------------------------------------

const cornersOf = box => [0, 1, 2, 3, 4, 5, 6, 7].map(i => new THREE.Vector3(
  (i & 1 ? box.max : box.min).x, (i & 2 ? box.max : box.min).y, (i & 4 ? box.max : box.min).z));

// The box around all that moves, half the size of what moves at one time, the box around all points
// of contact, and where things have been.
// `outlines`: some points of each part.
function extentOf(scene, outlines, sizes) {
  const box = new THREE.Box3(), touched = new THREE.Box3();
  const point = new THREE.Vector3(), places = [];
  let together = 0;
  const stride = Math.max(1, Math.floor(scene.t.length / 200));
  for (let i = 0; i < scene.t.length; i += stride) {
    const now = new THREE.Box3();
    for (let k = 0; k < scene.moving; ++k) {
      const { position, rotation } = framePose(scene, i, k);
      now.expandByPoint(position);
      places.push(position);
      outlines[k].forEach((local, j) => {
        const place = local.clone().applyQuaternion(rotation).add(position);
        now.expandByPoint(place);
        if (j % 12 === 0) places.push(place);
      });
    }
    for (let k = scene.first[i]; k < scene.first[i + 1]; ++k) {
      now.expandByPoint(point.fromArray(scene.forces, 9 * k));
      touched.expandByPoint(point);
    }
    together = Math.max(together, now.getSize(point).length() / 2);
    box.union(now);
  }
  for (const { box: fixed, radius } of sizes) {
    if (scene.moving === 0 || radius < 2.5 * box.getSize(point).length()) box.union(fixed);
  }
  return { box, together, touched, places };
}

// Of some directions the one that shows most of the motion, from before the half-spaces and into
// the bores. Near the usual one, from the front left and above, unless another is clearly better.
function chooseDirection(places, normals, axes) {
  const mean = places.reduce((sum, p) => sum.add(p), new THREE.Vector3())
    .divideScalar(places.length || 1);
  const spread = d => places.reduce((sum, p) => sum + Math.pow(p.clone().sub(mean).dot(d), 2), 0);
  const total = places.reduce((sum, p) => sum + p.distanceToSquared(mean), 0) || 1;
  let best = null;
  for (let a = -180; a < 180; a += 15) {
    for (const e of [12, 22, 35, 50]) {
      const d = direction(a * Math.PI / 180, e * Math.PI / 180);
      let score = -0.6 * spread(d) / total - 0.1 * Math.abs(e - 22) / 30;
      score -= 0.3 * Math.min(Math.abs(a + 60), 360 - Math.abs(a + 60)) / 180;
      for (const n of normals) if (n.dot(d) < 0.2) score -= 1;
      for (const axis of axes) score -= Math.abs(Math.abs(axis.dot(d)) - 0.75);
      if (best && score <= best.score) continue;
      best = { score, azimuth: a * Math.PI / 180, elevation: e * Math.PI / 180 };
    }
  }
  return best;
}

function direction(azimuth, elevation) {
  const c = Math.cos(elevation);
  return new THREE.Vector3(c * Math.cos(azimuth), c * Math.sin(azimuth), Math.sin(elevation));
}

// ---- camera: turns about a middle, which may follow what moves -----------------------------------

// What the picture is made to hold: 'all', what moves now ('follow'), or where bodies touch
// ('contacts').
class Orbit {
  constructor(camera, home) {
    this.camera = camera;
    this.home = home;  // { azimuth, elevation, middle, radius, together, contacts, framing }
    this.subject = new THREE.Vector3();
    this.reset();
  }

  reset() {
    Object.assign(this, { azimuth: this.home.azimuth, elevation: this.home.elevation });
    this.setFraming(this.home.framing);
  }

  // The distance at which a ball of this radius fills the picture.
  fit(radius) {
    const up = Math.tan(this.camera.fov * Math.PI / 360), side = up * this.camera.aspect;
    return radius / Math.sin(Math.atan(Math.min(up, side)));
  }

  // The same for the corners of all there is to see, from here.
  fitHome() {
    const up = Math.tan(this.camera.fov * Math.PI / 360), side = up * this.camera.aspect;
    const towards = direction(this.azimuth, this.elevation);
    const right = new THREE.Vector3(-Math.sin(this.azimuth), Math.cos(this.azimuth), 0);
    const top = towards.clone().cross(right);
    return 1.12 * Math.max(...this.home.corners.map(corner => {
      const from = corner.clone().sub(this.home.middle);
      return from.dot(towards) +
        Math.max(Math.abs(from.dot(right)) / side, Math.abs(from.dot(top)) / up);
    }));
  }

  setFraming(framing) {
    this.framing = framing;
    this.offset = new THREE.Vector3();
    this.zoom = 1;
  }

  get radius() {
    const { radius, together, contacts } = this.home;
    return { all: radius, follow: together, contacts: contacts && contacts.radius }[this.framing];
  }
  get distance() {
    return (this.framing === 'all' ? this.fitHome() : this.fit(this.radius)) * this.zoom;
  }
  get middle() {
    const { middle, contacts } = this.home;
    const held = { all: middle, follow: this.subject, contacts: contacts && contacts.middle };
    return held[this.framing].clone().add(this.offset);
  }

  turn(dx, dy) {
    const most = 89 * Math.PI / 180;
    this.azimuth -= dx;
    this.elevation = Math.min(most, Math.max(-most, this.elevation + dy));
  }

  scale(factor) { this.zoom = Math.min(20, Math.max(0.02, this.zoom * factor)); }

  // By shares of the picture's height.
  pan(dx, dy) {
    const size = 2 * this.distance * Math.tan(this.camera.fov * Math.PI / 360);
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.offset.addScaledVector(right, -dx * size).addScaledVector(up, dy * size);
  }

  place() { this.aim(this.middle, this.distance); }
  // The same direction, at the contacts.
  placeAtContacts() {
    this.aim(this.home.contacts.middle, this.fit(this.home.contacts.radius));
  }
  aim(middle, distance) {
    const { camera } = this;
    camera.position.copy(middle).addScaledVector(direction(this.azimuth, this.elevation), distance);
    camera.near = distance / 200;
    camera.far = distance * 60;
    camera.up.set(0, 0, 1);
    camera.lookAt(middle);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}

// Mouse: drag turns, with shift or another button it moves, the wheel zooms once the view has been
// clicked, so that a page that is scrolled past does not get caught. Fingers: one turns, two move
// and zoom.
function listenToPointers(canvas, orbit, redraw) {
  const down = new Map();
  const size = () => canvas.clientHeight || 1;
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener('pointermove', event => {
    const from = down.get(event.pointerId);
    if (!from) return;
    const to = { x: event.clientX, y: event.clientY };
    const dx = (to.x - from.x) / size(), dy = (to.y - from.y) / size();
    if (down.size === 2) {
      const other = [...down].find(([id]) => id !== event.pointerId)[1];
      const apart = p => Math.hypot(p.x - other.x, p.y - other.y) || 1;
      orbit.scale(apart(from) / apart(to));
      orbit.pan(dx / 2, dy / 2);
    } else if (event.shiftKey || (event.buttons & 6) !== 0) {
      orbit.pan(dx, dy);
    } else {
      orbit.turn(3 * dx, 3 * dy);
    }
    down.set(event.pointerId, to);
    redraw();
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
    canvas.addEventListener(end, event => down.delete(event.pointerId));
  }
  canvas.addEventListener('wheel', event => {
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    orbit.scale(Math.exp(0.0012 * event.deltaY * (event.deltaMode === 1 ? 20 : 1)));
    redraw();
  }, { passive: false });
}
