// Finds links and pictures of the pages that lead to no page, anchor or file of the project.
'use strict';
const { readFileSync, readdirSync, existsSync } = require('node:fs');
const { join } = require('node:path');

const unescaped = text => decodeURI(text.replaceAll('&amp;', '&'));

function deadLinks(site) {
  const pages = new Map(
    readdirSync(site)
      .filter(name => name.endsWith('.html'))
      .map(name => [name, readFileSync(join(site, name), 'utf8')]),
  );
  const anchors = new Map(
    [...pages].map(([name, text]) => [
      name,
      new Set([...text.matchAll(/ id="([^"]*)"/g)].map(match => match[1])),
    ]),
  );
  const dead = [];
  for (const [page, text] of pages)
    for (const [, target] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(https?|mailto|data):/.test(target)) continue;
      const [path, anchor] = unescaped(target).split('#'),
        file = path || page;
      if (!existsSync(join(site, file))) dead.push(`${page}: ${target}: no such file`);
      else if (anchor && pages.has(file) && !anchors.get(file).has(anchor))
        dead.push(`${page}: ${target}: no such anchor`);
    }
  return [...new Set(dead)];
}
module.exports = { deadLinks };
