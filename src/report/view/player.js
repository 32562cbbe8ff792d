// ---- time, keys and buttons ----------------------------------------------------------------------

function startScene(root) {
  const find = name => root.querySelector('.' + name);
  const scene = readScene(JSON.parse(root.querySelector('script').textContent));
  const canvas = root.querySelector('canvas'), range = root.querySelector('input[type=range]');
  if (!document.createElement('canvas').getContext('webgl')) {
    find('missing').hidden = false;
    find('works').hidden = true;
    return;
  }
  const view = new View(root, canvas, scene);
  const span = scene.end - scene.start;
  const digits = Math.min(9, Math.max(0, 4 - Math.floor(Math.log10(span || 1))));
  const shown = time => time.toFixed(digits).replace('-', '−') + ' s';
  let time = scene.start, playing = false, last = 0, waiting = false;

  // ---- drawing ----

  function newtons(x) {
    if (!(x > 0)) return '0 N';
    const power = Math.min(2, Math.max(-3, Math.floor(Math.log10(x * 1.0005) / 3)));
    const unit = ['nN', 'µN', 'mN', 'N', 'kN', 'MN'][power + 3];
    return `${(x / Math.pow(1000, power)).toPrecision(3)} ${unit}`;
  }
  function tell(most) {
    const stage = stageAt(scene, time), text = stage < 0 ? '' : scene.stages[stage][2];
    find('now').textContent = `t = ${shown(time)}` + (text ? ` · ${text}` : '');
    range.value = time;
    range.setAttribute('aria-valuetext', shown(time) + (text ? `, ${text}` : ''));
    for (const kind of ['normal', 'friction']) find(kind).textContent = newtons(most[kind]);
    let bar = view.arrowPixels, force = most.full;
    for (let k = 0; bar > 110 && k < 40; ++k) [bar, force] = [bar / 2, force / 2];
    for (let k = 0; bar < 35 && k < 40; ++k) [bar, force] = [bar * 2, force * 2];
    find('length').style.width = `${bar}px`;
    find('scale').textContent = newtons(force).replace(/\.0+ /, ' ');
    find('legend').hidden = !view.showForces || !(most.full > 0);
    const { inset } = view;
    find('inset').hidden = !inset;
    if (!inset) return;
    const { style } = find('inset');
    [style.left, style.top] = [`${inset.x}px`, `${inset.y}px`];
    style.width = style.height = `${inset.side}px`;
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(now => {
      waiting = false;
      if (playing) {
        time += Math.min(0.25, Math.max(0, (now - last) / 1000)) * Number(find('speed').value);
        last = now;
        if (time >= scene.end) {
          time = scene.end;
          setPlaying(false);
        }
      }
      tell(view.draw(time));
      if (playing) redraw();
    });
  }

  function setPlaying(on) {
    if (on && time >= scene.end) time = scene.start;
    playing = on;
    last = performance.now();
    find('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
    find('play').classList.toggle('on', on);
    find('now').setAttribute('aria-live', on ? 'off' : 'polite');
    redraw();
  }

  function seek(to) {
    time = Math.min(scene.end, Math.max(scene.start, to));
    redraw();
  }

  function stop(at) {
    setPlaying(false);
    seek(at);
  }

  function step(frames) {
    const now = frameAt(scene, time), last = scene.t.length - 1;
    const back = frames < 0 && scene.t[now] < time ? 1 : 0;  // between frames: first to that before
    stop(scene.t[Math.min(last, Math.max(0, now + frames + back))]);
  }

  function stepStage(by) {
    const now = stageAt(scene, time);
    if (now < 0) return;
    const within = by < 0 && time > scene.stages[now][0] + 0.01 * span;
    const to = Math.min(scene.stages.length - 1, Math.max(0, now + (within ? 0 : by)));
    stop(scene.stages[to][0]);
  }

  function tellFraming() {
    for (const name of ['follow', 'contacts']) {
      find(name).setAttribute('aria-pressed', view.orbit.framing === name);
    }
    redraw();
  }

  function toggleFraming(name) {
    if (name === 'contacts' && !view.orbit.home.contacts) return;
    view.orbit.setFraming(view.orbit.framing === name ? 'all' : name);
    tellFraming();
  }

  function reset() {
    view.orbit.reset();
    tellFraming();
  }

  // ---- set up ----

  Object.assign(range, { min: scene.start, max: scene.end, value: scene.start });
  find('contacts').hidden = !view.orbit.home.contacts;
  tellFraming();
  const names = [...new Set(scene.stages.map(([, , text]) => text))];
  const idle = ['flight', 'no contact'], told = names.filter(text => !idle.includes(text));
  for (const [from, to, text] of scene.stages) {
    const mark = document.createElement('span');
    mark.className = idle.includes(text) ? 'stage idle' : `stage b${(told.indexOf(text) + 1) % 4}`;
    mark.style.left = `${100 * (from - scene.start) / span}%`;
    mark.style.width = `${100 * (to - from) / span}%`;
    mark.title = `${text}, from ${shown(from)} to ${shown(to)}`;
    if ((to - from) / span > 0.012 * text.length) mark.textContent = text;
    mark.addEventListener('click', () => stop(from));
    find('stages').append(mark);
  }
  find('stages').hidden = scene.stages.length === 0;

  // A whole run takes some seconds, whatever it takes in truth.
  const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  while (span / speeds[0] < 4) speeds.unshift(speeds[0] / 10);
  while (span / speeds[speeds.length - 1] > 30) speeds.push(10 * speeds[speeds.length - 1]);
  const usual = span >= 2.5 && span <= 20 ? 1 : speeds.reduce((a, b) =>
    Math.abs(Math.log(span / b / 7)) < Math.abs(Math.log(span / a / 7)) ? b : a);
  for (const speed of speeds) {
    const text = `${Number(speed.toPrecision(3))}×`;
    find('speed').append(new Option(text, speed, speed === usual, speed === usual));
  }

  find('play').addEventListener('click', () => setPlaying(!playing));
  for (const name of ['follow', 'contacts']) {
    find(name).addEventListener('click', () => toggleFraming(name));
  }
  find('home').addEventListener('click', reset);
  for (const [name, shown] of [['forces', 'showForces'], ['paths', 'showPaths']]) {
    find(name).addEventListener('change', event => {
      view[shown] = event.target.checked;
      redraw();
    });
  }
  range.addEventListener('input', () => stop(Number(range.value)));
  listenToPointers(canvas, view.orbit, redraw);

  const zoom = factor => { view.orbit.scale(factor); redraw(); };
  const keys = {
    ' ': () => setPlaying(!playing),
    ArrowLeft: far => step(far ? -10 : -1), ArrowRight: far => step(far ? 10 : 1),
    ArrowUp: () => zoom(1 / 1.15), ArrowDown: () => zoom(1.15),
    '+': () => zoom(1 / 1.15), '-': () => zoom(1.15),
    Home: () => stop(scene.start), End: () => stop(scene.end),
    PageUp: () => stepStage(-1), PageDown: () => stepStage(1),
    f: () => toggleFraming('follow'), c: () => toggleFraming('contacts'), 0: reset,
  };
  find('works').addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
    if (event.key === ' ' && event.target !== canvas && event.target !== range) return;
    const act = keys[event.key];
    if (!act) return;
    act(event.shiftKey);
    event.preventDefault();
  });

  new ResizeObserver(() => {
    const box = canvas.parentElement;
    if (box.clientWidth === 0) return;
    view.resize(box.clientWidth, box.clientHeight);
    tell(view.draw(time));  // at once: what was drawn is gone
  }).observe(canvas.parentElement);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    view.restyle();
    redraw();
  });

  // report.html#t=1.2 shows that instant.
  function followLink() {
    const asked = new URLSearchParams(location.hash.slice(1)).get('t');
    if (asked === null || !isFinite(Number(asked))) return false;
    stop(Number(asked));
    root.scrollIntoView({ block: 'nearest' });
    return true;
  }
  window.addEventListener('hashchange', followLink);
  if (followLink() || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const watch = new IntersectionObserver(seen => {
    if (!seen.some(entry => entry.isIntersecting)) return;
    watch.disconnect();
    if (time === scene.start) setPlaying(true);
  }, { threshold: 0.6 });
  watch.observe(canvas);
}

for (const root of document.querySelectorAll('.scene')) startScene(root);
