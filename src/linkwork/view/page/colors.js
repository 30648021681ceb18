// Colours of the scene on a light and on a dark page, and small helpers that make elements.

const INK = '#22303c';
const GREY = '#7b8791';
const SVG = 'http://www.w3.org/2000/svg';
const theme = {dark: false};

function rgbOf(color) {
  const text = color === 'white' ? '#ffffff' : color === 'black' ? '#000000' : color;
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
}

// the same hue with dark and light exchanged, where the page is dark
function toned(color) {
  if (color === 'none' || !theme.dark) return color;
  const [r, g, b] = rgbOf(color);
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  const light = 0.5 * (most + least);
  const range = most - least;
  let hue = 210;
  let strength = 0.1;
  if (range > 0.01) {
    hue = 60 * (most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4);
    strength = Math.min(0.75, range / (1 - Math.abs(2 * light - 1) + 1e-9)) * (light > 0.7 ? 0.6 : 1);
  }
  return hsl(hue, strength, 0.95 - 0.83 * light);
}

function hsl(hue, strength, light) {
  const reach = strength * Math.min(light, 1 - light);
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    const value = light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

// an element with attributes; words only ever become text
function make(tag, attributes = {}, ...children) {
  const found = document.createElement(tag);
  return filled(found, attributes, children);
}

function makeSvg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.map((one) => (one instanceof Node ? one : document.createTextNode(String(one)))));
  return element;
}

// 1, 2 or 5 times a power of ten: the nearest one below
function roundNumber(near) {
  const power = 10 ** Math.floor(Math.log10(near));
  return power * (near >= 5 * power * (1 - 1e-9) ? 5 : near >= 2 * power * (1 - 1e-9) ? 2 : 1);
}

function lengthText(metres) {
  if (metres < 0.01) return `${plain(1e3 * metres)} mm`;
  return metres < 1000 ? `${plain(metres)} m` : `${plain(metres / 1e3)} km`;
}

const plain = (value) => String(Number(value.toPrecision(6))).replace('-', '−');

// a value with no more digits than its series has, and no more than six
function valueText(given, step) {
  const value = Math.abs(given) < step ? 0 : given; // below one step of its series is nothing
  const size = Math.abs(value);
  const whole = size > 0 ? Math.floor(Math.log10(size)) : 0;
  if (whole > 5 || (whole < -4 && size > 0)) return value.toExponential(3).replace('-', '−');
  const fine = step > 0 ? Math.ceil(-Math.log10(4 * step)) : 6;
  return value.toFixed(Math.max(0, Math.min(fine, 5 - Math.max(whole, 0)))).replace('-', '−');
}

// a time with as many digits as its run needs
function timeText(when, t) {
  const span = t[t.length - 1] - t[0];
  const digits = span > 0 ? Math.max(0, Math.min(6, Math.ceil(2.5 - Math.log10(span)))) : 3;
  return when.toFixed(digits).replace('-', '−');
}
