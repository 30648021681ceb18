// The data of the page: text and arrays, deflated; pack.py says how.

async function unpack(letters) {
  const bytes = Uint8Array.from(atob(letters.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(all.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + length)));
  return revived(data, all.subarray(4 + length));
}

// Arrays in place of what says where they are. Only such places are written to, whatever names there are.
function revived(node, bytes) {
  if (node === null || typeof node !== 'object') return node;
  if (typeof node.at === 'number' && typeof node.count === 'number') return numbers(node, bytes);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === null || typeof value !== 'object') continue;
    const found = revived(value, bytes);
    if (found !== value) node[key] = found;
  }
  return node;
}

function numbers({kind, at, count, low, step}, bytes) {
  const found = new Float64Array(count);
  if (kind === 'real') {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8 * count);
    for (let k = 0; k < count; k++) found[k] = view.getFloat64(8 * k, true);
    return found;
  }
  let sum = 0;
  for (let k = 0; k < count; k++) {
    sum = (sum + bytes[at + k] + 256 * bytes[at + count + k]) & 0xffff;
    found[k] = low + step * sum;
  }
  found.step = step; // how fine it is: no more digits are shown
  return found;
}

// Where bodies are at the k-th time. Ground is body -1 and does not move.
class Poses {
  constructor(run) {
    this.flat = run.dimension === 2;
    this.places = run.places;
    this.turns = run.turns;
    this.index = new Map(run.bodies.map((name, k) => [name, k]));
    this.index.set('ground', -1);
  }

  // axes of a body as columns: x and y, in space also z
  axes(body, k) {
    const b = typeof body === 'number' ? body : this.index.get(body);
    if (b < 0) return this.flat ? [[1, 0], [0, 1]] : [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    if (this.flat) {
      const c = Math.cos(this.turns[b][0][k]);
      const s = Math.sin(this.turns[b][0][k]);
      return [[c, s], [-s, c]];
    }
    let [w, x, y, z] = this.turns[b].map((part) => part[k]);
    const size = Math.hypot(w, x, y, z) || 1;
    [w, x, y, z] = [w / size, x / size, y / size, z / size];
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
  }

  place(body, k) {
    const b = typeof body === 'number' ? body : this.index.get(body);
    if (b < 0) return this.flat ? [0, 0] : [0, 0, 0];
    return this.places[b].map((part) => part[k]);
  }

  // the place of a point that is given in the axes of a body
  point(body, local, k) {
    return plus(this.place(body, k), turned(this.axes(body, k), local));
  }

  // an anchor is a weighted sum of points of bodies
  anchor(anchor, k) {
    let found = this.flat ? [0, 0] : [0, 0, 0];
    for (const [weight, body, local] of anchor) {
      const point = this.point(body, local, k);
      found = found.map((one, i) => one + weight * point[i]);
    }
    return found;
  }
}

const plus = (a, b) => a.map((one, i) => one + b[i]);
const minus = (a, b) => a.map((one, i) => one - b[i]);
const times = (a, factor) => a.map((one) => one * factor);
const dot = (a, b) => a.reduce((sum, one, i) => sum + one * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);
const unit = (a) => { const size = length(a); return size > 0 ? times(a, 1 / size) : a.map((_, i) => (i ? 0 : 1)); };

// a vector along axes, which are columns
function turned(axes, local) {
  return axes[0].map((_, i) => axes.reduce((sum, axis, j) => sum + axis[i] * (local[j] || 0), 0));
}

// the direction of a way and those across it, as scene.basis has them
function basis(way) {
  const along = length(way) > 1e-12 ? unit(way) : way.map((_, i) => (i ? 0 : 1));
  if (way.length === 2) return [along, [-along[1], along[0]]];
  const sizes = along.map(Math.abs);
  const other = [0, 0, 0];
  other[sizes.indexOf(Math.min(...sizes))] = 1;
  const across = unit(cross(along, other));
  return [along, across, cross(along, across)];
}

// vertices of a shape on a body, in the axes of the body where nothing else is asked for: metres + points
function localVertices(shape, point) {
  return shape.points.map((one, i) => {
    let found = one;
    if (shape.shifts) found = plus(found, shape.shifts[Math.min(i, shape.shifts.length - 1)]);
    if (shape.offsets) found = plus(found, times(shape.offsets[Math.min(i, shape.offsets.length - 1)], point));
    return found;
  });
}

const ownTurn = (shape) => !shape.turn || shape.turn === shape.body;

// world places of the vertices of a shape whose symbol is turned with another body
function vertices(shape, poses, k, point) {
  const turn = poses.axes(shape.turn || shape.body, k);
  return shape.points.map((one, i) => {
    let found = poses.point(shape.body, one, k);
    if (shape.shifts) found = plus(found, turned(turn, shape.shifts[i]));
    if (shape.offsets) found = plus(found, times(turned(turn, shape.offsets[i]), point));
    return found;
  });
}

// world places of the vertices of a connector
function between(one, poses, k, point) {
  const start = poses.anchor(one.start, k);
  const way = minus(poses.anchor(one.end, k), start);
  const axes = basis(way);
  if (one.normal) {
    axes[2] = turned(poses.axes(one.normal[0], k), one.normal[1]);
    axes[1] = cross(axes[2], axes[0]);
  }
  return one.shares.map((share, i) => {
    let found = plus(start, times(way, share));
    if (one.shifts) found = plus(found, turned(axes, one.shifts[i]));
    if (one.offsets) found = plus(found, times(turned(axes, one.offsets[i]), point));
    return found;
  });
}

// the place of the stored time that is nearest
function nearest(t, when) {
  let low = 0;
  let high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= when) low = middle; else high = middle;
  }
  return when - t[low] <= t[high] - when ? low : high;
}
