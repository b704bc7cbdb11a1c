// Checks that every page gets. Runs in the browser, as text, so it uses nothing from outside.
'use strict';

// lookedAt(): returns the faults of the page as it is displayed, one per line.
function lookedAt() {
  const wrong = [],
    seen = new Set();
  const width = document.documentElement.scrollWidth;
  if (width > innerWidth) wrong.push(`${width} pixels wide on a screen of ${innerWidth}`);
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

  // Text at the size at which it is drawn, a picture's scale included; on a narrow screen a
  // drawing scrolls rather than shrinks.
  const small = new Map(),
    words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (innerWidth >= 360 && words.nextNode()) {
    const text = words.currentNode,
      element = text.parentElement;
    if (!text.data.trim() || /^(SCRIPT|STYLE|title|option)$/i.test(element.tagName)) continue;
    if (element.closest('math, sup, sub, .icon') || !element.getClientRects().length) continue;
    const scale = element instanceof SVGElement ? (element.getScreenCTM?.()?.a ?? 1) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 10.9 && size > 0)
      small.set(
        `${element.tagName}.${element.className.baseVal ?? element.className}`,
        `${size.toFixed(1)} px: '${text.data.trim().slice(0, 30)}'`,
      );
  }
  for (const [where, what] of small) wrong.push(`text of ${what} in ${where}`);

  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = color => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const ground = element => {
    // The cell around the text.
    const box =
      element.classList.contains('on') &&
      element.previousElementSibling?.matches('rect') &&
      element.previousElementSibling;
    if (box) return rgb(getComputedStyle(box).fill);
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
