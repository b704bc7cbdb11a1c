// The checks that every page must pass. lookedAt() is sent to the browser as text, so it uses
// nothing from outside.
'use strict';

// Returns the faults of the page as it is displayed.
function lookedAt() {
  const wrong = [],
    seen = new Set();
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) wrong.push(`${width} pixels wide on a screen of ${innerWidth}`);
  // The grid of style.css. Up to 768 pixels, code and boxes reach to the sides of the screen.
  const main = document.querySelector('.page > main')?.getBoundingClientRect();
  if (main && innerWidth > 768) {
    const text = getComputedStyle(document.documentElement).getPropertyValue('--text'),
      edges = [Math.min(main.left + parseFloat(text) * 16, main.right), main.right],
      off = (a, b) => Math.abs(a - b) > 1.5;
    for (const part of document.querySelectorAll(
      'main > :not(.note), .answer > *, main > .table > table',
    )) {
      const { left, right, width } = part.getBoundingClientRect(),
        scrolls = part.tagName === 'TABLE' && right > main.right;
      if (!width || scrolls) continue;
      if (off(left, main.left) || edges.every(edge => off(edge, right)))
        wrong.push(`${left} to ${right} is off grid: ${part.outerHTML.slice(0, 60)}`);
    }
    const page = document.querySelector('.page'),
      inner = page.getBoundingClientRect(),
      edge = parseFloat(getComputedStyle(page).paddingLeft),
      bar = [...document.querySelector('header').children]
        .map(part => part.getBoundingClientRect())
        .filter(({ width }) => width);
    if (off(bar[0].left, inner.left + edge) || off(bar.at(-1).right, inner.right - edge))
      wrong.push('the bar on top is not as wide as the grid');
  }
  for (const image of document.images)
    if (!image.alt.trim()) wrong.push(`no alternative text: ${image.src}`);
  for (const control of document.querySelectorAll('button, a[href], summary, input'))
    if (
      !(
        control.textContent.trim() ||
        control.getAttribute('aria-label') ||
        control.closest('label')?.textContent.trim() ||
        control.querySelector('img')
      )
    )
      wrong.push(`nothing to call it by: ${control.outerHTML.slice(0, 80)}`);

  let level = 0;
  for (const head of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (!head.getClientRects().length) continue;
    if (Number(head.tagName[1]) > level + 1)
      wrong.push(`${head.tagName} follows H${level}: ${head.textContent.slice(0, 40)}`);
    level = Number(head.tagName[1]);
  }
  // A target (button, link, field) is at least 24 px high, except in a text or a drawing.
  const targets = document.querySelectorAll('button, a[href], input, select, summary');
  for (const target of targets) {
    const { display } = getComputedStyle(target),
      { height, width } = target.getBoundingClientRect();
    const inText = (target.tagName === 'A' && display === 'inline') || target.closest('svg');
    if (!inText && width > 2 && height > 0 && height < 23.5)
      wrong.push(`${height.toFixed(0)} px high: ${target.outerHTML.slice(0, 80)}`);
  }

  // On screens of 360 px or more, text is drawn at 10.9 px or more, except mathematics, indices and
  // icons. So a drawing must scroll instead of shrinking.
  const small = new Map(),
    words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (innerWidth >= 360 && words.nextNode()) {
    const text = words.currentNode,
      element = text.parentElement;
    if (!text.data.trim() || /^(SCRIPT|STYLE|title|option)$/i.test(element.tagName)) continue;
    if (element.closest('math, sup, sub, .icon') || !element.getClientRects().length) continue;
    const matrix = element instanceof SVGElement && element.getScreenCTM?.();
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 10.9 && size > 0)
      small.set(
        `${element.tagName}.${element.className.baseVal ?? element.className}`,
        `${size.toFixed(1)} px: '${text.data.trim().slice(0, 30)}'`,
      );
  }
  for (const [where, what] of small) wrong.push(`text of ${what} in ${where}`);

  // Text of a drawing is not cut off at the drawing's edge, but may lie outside of it.
  const lettered = innerWidth >= 360 ? document.querySelectorAll('main svg:not(.icon) text') : [];
  for (const text of lettered) {
    if (getComputedStyle(text.ownerSVGElement).overflow === 'visible') continue;
    const [at, around] = [text, text.ownerSVGElement].map(one => one.getBoundingClientRect());
    const inside =
      Math.min(at.right, around.right) - Math.max(at.left, around.left) > 3 &&
      Math.min(at.bottom, around.bottom) - Math.max(at.top, around.top) > 5;
    const whole =
      at.bottom < around.bottom + 3 &&
      at.top > around.top - 3 &&
      at.left > around.left - 1 &&
      at.right < around.right + 1;
    if (inside && !whole)
      wrong.push(`cut off at the edge of its drawing: '${text.textContent.slice(0, 40)}'`);
  }

  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = color => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  // Returns the colour behind the middle of a chart's text: the colour of the last area that was
  // drawn there before the text.
  const under = text => {
    const { x, y, width, height } = text.getBBox(),
      at = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(text.getCTM?.());
    let colour;
    for (const shape of text.closest('svg').querySelectorAll('path, rect, text')) {
      const { fill, stroke, strokeWidth, filter } = getComputedStyle(shape);
      // A label may have a box: an earlier text with the same content and a filter, which fills the
      // box with the page's ground.
      if (shape.tagName === 'text') {
        if (filter !== 'none' && shape.textContent === text.textContent) colour = undefined;
        if (shape.contains(text)) break;
        continue;
      }
      const point = at.matrixTransform(shape.getCTM().inverse()),
        bar = stroke !== 'none' && parseFloat(strokeWidth) > 6;
      if (fill !== 'none' && shape.isPointInFill(point)) colour = fill;
      else if (bar && shape.isPointInStroke(point)) colour = stroke;
    }
    return colour;
  };
  const ground = element => {
    // In a drawing, a text of class `on` stands on the cell (rect) before it.
    const box =
      element.classList.contains('on') &&
      element.previousElementSibling?.matches('rect') &&
      element.previousElementSibling;
    if (box) return rgb(getComputedStyle(box).fill);
    const area = element.closest('svg.plot') && under(element);
    if (area) return rgb(area);
    for (let at = element; at; at = at.parentElement) {
      const color = rgb(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const light = color =>
    color
      .slice(0, 3)
      .map(v => v / 255)
      .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const marker = /^[^ -~]$/.test(walker.currentNode.data.trim()); // a chart's sign for a point
    if (element.closest('svg.plot') && marker) continue;
    if (!walker.currentNode.data.trim() || /^(SCRIPT|STYLE|title)$/i.test(element.tagName))
      continue;
    const style = getComputedStyle(element),
      color = element.namespaceURI.endsWith('svg') ? style.fill : style.color;
    const behind = ground(element),
      pair = color + behind;
    if (seen.has(pair)) continue;
    seen.add(pair);
    const [a, b] = [light(rgb(color)), light(behind)].sort((x, y) => y - x),
      ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5)
      wrong.push(
        `contrast ${ratio.toFixed(2)}: '${walker.currentNode.data.trim().slice(0, 30)}' in ` +
          `${element.tagName}.${element.className.baseVal ?? element.className}`,
      );
  }
  return wrong;
}
module.exports = { lookedAt: `(${lookedAt})()` };
