// What the pages do beside being read: light and dark, meanings on hover, search, charts whose measurements can be chosen.
// Classic script, no library: the pages work from file://. The page works without it, less these.
'use strict';

const kept = { // what the reader chose, where the browser keeps such things
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* it holds for this page only */ } },
};
const $ = (selector, root = document) => [...root.querySelectorAll(selector)];

function make(name, attributes = {}, ...children) {
    const svg = /^(svg|g|path|line|rect|circle|text|title|polyline)$/.test(name);
    const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value); else if (value !== null) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

// unpack(TEXT): what build.sh packed, as a Response.
const unpack = text => new Response(new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip')));

// --- light and dark: the system's choice until the reader chooses
const system = matchMedia('(prefers-color-scheme: dark)');
const showTheme = () => { document.documentElement.dataset.theme = kept.get('theme') || (system.matches ? 'dark' : 'light'); };
showTheme();
system.addEventListener('change', showTheme);

// --- from a server the whole site is kept for when there is no network, when all else is done
if (/^http/.test(location.protocol)) addEventListener('load', () => setTimeout(() => navigator.serviceWorker?.register('sw.js').catch(() => { /* then not */ }), 3000));

// --- exercises: what is solved, in this browser
addEventListener('DOMContentLoaded', () => {
    let solved = 0;
    for (const place of $('[data-exercise]'))
        try {
            const done = JSON.parse(kept.get(`exercise ${place.dataset.exercise}`)).solved;
            place.textContent = done ? 'solved' : 'begun';
            solved += done ? 1 : 0;
        } catch { /* not begun */ }
    for (const place of $('[data-progress]')) place.textContent = `Solved in this browser: ${solved} of ${place.dataset.progress}.`;
});

// --- what scrolls by itself can be scrolled by keyboard; asked whenever its size changes: a window that is turned or zoomed makes more of
// them scroll. What is too far below to be laid out (style.css), or comes later, is asked when it is shown.
const SCROLLS = 'main pre, main .table, main .picture, main .formula, .changes .code';
const sized = new ResizeObserver(seen => {
    for (const {target} of seen)
        if (target.checkVisibility?.({contentVisibilityAuto: true}) !== false && (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight)) target.tabIndex = 0;
});
const watch = parts => parts.forEach(part => {
    sized.unobserve(part); // or Chromium, which knows it, does not ask again
    sized.observe(part);
});
addEventListener('load', () => watch($(SCROLLS)));
for (const shown of ['toggle', 'contentvisibilityautostatechange'])
    document.addEventListener(shown, ({target}) => watch([target, ...$(SCROLLS, target)].filter(part => part.matches?.(SCROLLS))), true);

// --- meanings and sources on hover, by focus and by touch: the title as a bubble
let tip = null;
function showTip(event) {
    const target = event.target.closest?.('[title], [data-tip], .term');
    tip?.remove();
    tip = null;
    if (!target?.closest('main') || target.closest('svg')) return;
    if (!target.dataset.tip) {
        const said = target.textContent, term = said in TERMS ? said : said.replace(/s$/, '');
        target.dataset.tip = target.title || `${term}: ${TERMS[term]}`;
        target.removeAttribute('title');
        target.setAttribute('aria-description', target.dataset.tip);
    }
    tip = make('div', {id: 'tip', role: 'tooltip'}, target.dataset.tip);
    document.body.append(tip);
    const box = target.getBoundingClientRect(), below = box.bottom + tip.offsetHeight + 12 < innerHeight;
    tip.style.left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 24)) + scrollX + 'px';
    tip.style.top = (below ? box.bottom + 6 : box.top - tip.offsetHeight - 6) + scrollY + 'px';
}

// --- search: in the pages' words, which the packed book has; it is loaded when it is first asked for
function loadBook() {
    return window.BOOK_LOADED ??= new Promise((done, failed) => document.head.append(make('script', {src: 'book.js', onload: done, onerror: failed})))
        .then(() => unpack(BOOK).text()).then(html => new DOMParser().parseFromString(html, 'text/html'));
}

// sectionsOf(BOOK): [address, page, heading, text] of every section of every page, without listings and tables of many figures.
function sectionsOf(book) {
    const found = [], left = node => node.matches?.('pre, .absent, .from, summary') || node.matches?.('table') && node.textContent.length > 1500;
    for (const chapter of $('section', book)) {
        const page = chapter.dataset.page, address = chapter.id + '.html';
        found.push([address, page, page, '']);
        const walker = book.createTreeWalker(chapter, NodeFilter.SHOW_ALL, node => left(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
        for (let node; (node = walker.nextNode());)
            if (/^H[2-6]$/.test(node.nodeName)) found.push([`${address}#${node.id.slice(chapter.id.length + 1)}`, page, node.textContent, '']);
            else if (!node.parentElement.closest('h1, h2, h3, h4')) found.at(-1)[3] += (node.data ?? node.alt ?? '').replace(/\s+/g, ' ');
    }
    return found;
}
function loadIndex() { return window.INDEX ??= loadBook().then(sectionsOf); }

// find(INDEX, WORDS): sections that have every word, headings before text.
function find(index, words) {
    const found = [];
    for (const [address, page, heading, text] of index) {
        const title = (page + ' ' + heading).toLowerCase(), body = text.toLowerCase();
        if (!words.every(word => title.includes(word) || body.includes(word))) continue;
        const score = words.reduce((sum, word) => sum + (heading.toLowerCase().includes(word) ? 8 : title.includes(word) ? 4 : 0)
            + Math.min(3, body.split(word).length - 1), (/^\d\d_/.test(address) ? 1 : 0) + ((title + ' ' + body).includes(words.join(' ')) ? 6 : 0));
        found.push({address, page, heading, text, score, at: Math.max(0, body.indexOf(words[0]) - 50)});
    }
    return found.sort((a, b) => b.score - a.score).slice(0, 20);
}

function marked(text, words) {
    const pattern = new RegExp('(' + words.map(word => word.replace(/[^\w\s]/g, '\\$&')).join('|') + ')', 'i');
    return text.split(pattern).map((part, i) => i % 2 ? make('mark', {}, part) : part);
}

function openSearch() {
    const list = make('ol'), field = make('input', {type: 'search', placeholder: 'Search lessons, pages and exercises', 'aria-label': 'Search'});
    const dialog = make('dialog', {'aria-label': 'Search', onclose: () => dialog.remove()}, field, list);
    field.addEventListener('input', async () => {
        const index = await loadIndex(), words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = words.length ? find(index, words) : [];
        list.replaceChildren(...found.map(hit => make('li', {}, make('a', {href: hit.address, onclick: () => dialog.close()},
            ...marked(hit.heading, words), make('small', {}, hit.page, ' · … ', ...marked(hit.text.slice(hit.at, hit.at + 150), words))))));
        if (words.length && !found.length) list.append(make('li', {}, 'Nothing has all of these words.'));
    });
    dialog.addEventListener('keydown', event => {
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key], stops = [field, ...$('a', list)];
        if (step) { event.preventDefault(); stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus(); }
        if (event.key === 'Enter' && document.activeElement === field) stops[1]?.click();
    });
    document.body.append(dialog);
    dialog.showModal();
}

// --- charts ---------------------------------------------------------------------------------------------------------------
// rowsOf(CSV): square sizes in bursts as {step, variant, n, tflops}, of the site's own data or of a results.csv; the newest of each.
function rowsOf(csv) {
    const lines = csv.trim().split(/\r?\n/), names = lines.shift().replaceAll('"', '').split(','), rows = new Map();
    for (const line of lines) {
        const cells = line.split(','), row = Object.fromEntries(names.map((name, i) => [name, (cells[i] ?? '').replaceAll('"', '')]));
        const n = +row.n, tflops = +row.tflops;
        if (!(tflops > 0) || !(n > 0) || !row.step) continue;
        if (row.m !== undefined && (+row.m !== n || +row.k !== n || +row.lda !== n || +row.ldb !== n || +row.ldc !== n || row.mode !== 'burst'
            || row.backend !== 'gpu' || +row.alpha !== 1 || +row.beta !== 0 || row.check?.startsWith('f') || (row.inputs || 'uniform') !== 'uniform'
            || +(row.gpus || 1) !== 1 || row.variant === 'default')) continue;
        rows.set([row.step, row.variant, n].join(), {...row, n, tflops});
    }
    return [...rows.values()];
}

function dataset({origin, peak, csv, own}) {
    const rows = rowsOf(csv), first = rows.find(row => row.device);
    const said = origin || (first ? `${first.device}, driver ${first.driver}, ${first.time.slice(0, 10)}, commit ${first.commit}` : '');
    const top = rows.find(row => +row.pct_peak > 0);
    return {own, name: (own ? 'this run: ' : '') + said.split(',')[0].replace(/^NVIDIA ([A-Z]+\d+\b).*|^NVIDIA /, '$1'), said, rows, peak: peak || (top ? 100 * top.tflops / top.pct_peak : 0)};
}

// What was measured, read when the first chart is drawn.
let sets = null, chosen = 0;
function readSets() {
    sets = DATA.map(dataset).filter(set => set.rows.length);
    chosen = Math.max(0, sets.findIndex(set => set.own));
    if (kept.get('own')) sets.push({...dataset({csv: kept.get('own')}), name: 'yours'});
}
function readOwn(csv, name) {
    const own = dataset({csv});
    if (!own.rows.length) return alert(`${name}: no times in bursts of square sizes; expected a results.csv of build/ladder or run_all.sh`);
    own.name = 'yours: ' + own.name;
    if (!sets) readSets();
    sets = [...sets.filter(set => !set.name.startsWith('yours')), own];
    chosen = sets.length - 1;
    kept.set('own', csv);
    drawAll();
}
const readFile = file => file?.size > 2e7 ? alert(`${file.name}: ${Math.round(file.size / 1e6)} MB; a results.csv has less than 20`) : file?.text().then(text => readOwn(text, file.name));

const color = step => /^0[1-9]_/.test(step) ? `var(--c${step.slice(0, 2)})` : step === 'cublas' ? 'var(--ink)' : 'var(--soft)';
const named = step => step === 'cublas' ? 'cuBLAS' : step.replaceAll('_', ' ');
// A step's last variant, by the course's own results; of a step that they do not have, the last one measured.
function lastOf(set, step) {
    const rows = set.rows.filter(row => row.step === step), known = sets[0].rows.find(row => row.step === step && row.last === '1');
    const variant = known && rows.some(row => row.variant === known.variant) ? known.variant : rows.at(-1)?.variant;
    return rows.filter(row => row.variant === variant).sort((a, b) => a.n - b.n);
}

// frame(): an empty chart with its scale from 0 to the peak; x is the caller's.
function frame(width, height, set, title) {
    const top = Math.max(set.peak, ...set.rows.filter(row => !/^1[13]_/.test(row.step)).map(row => row.tflops)) * 1.08;
    const left = 34, bottom = height - 40, y = value => bottom - value / top * (bottom - 16);
    const svg = make('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title});
    for (let v = 0; v <= top; v += top > 30 ? 10 : top > 8 ? 2 : 1)
        svg.append(make('line', {x1: left, x2: width, y1: y(v), y2: y(v), class: 'grid'}), make('text', {x: left - 6, y: y(v) + 4, 'text-anchor': 'end'}, String(v)));
    svg.append(make('text', {x: 0, y: 8}, 'TFLOP/s'));
    if (set.peak) svg.append(make('line', {x1: left, x2: width, y1: y(set.peak), y2: y(set.peak), stroke: 'var(--soft)', 'stroke-dasharray': '2 4'}));
    return {svg, left, bottom, y, width};
}

function bars(set, list, n, width) { // list of {label, row}
    const title = `TFLOP/s at N = ${n}: ` + list.map(item => `${item.label} ${item.row.tflops.toFixed(1)}`).join(', ');
    const {svg, left, bottom, y} = frame(width, 280, set, title), each = (width - left) / list.length;
    const cublas = lastOf(set, 'cublas').find(row => row.n === n);
    if (cublas) svg.append(make('line', {x1: left, x2: width, y1: y(cublas.tflops), y2: y(cublas.tflops), stroke: 'var(--ink)', 'stroke-dasharray': '6 4'}));
    list.forEach(({label, row, pale}, i) => {
        const x = left + each * i, narrow = each < 62;
        svg.append(make('rect', {x: x + each * .12, width: each * .76, y: y(row.tflops), height: bottom - y(row.tflops), fill: color(row.step), opacity: pale ? .5 : 1, rx: 2},
            make('title', {}, `${named(row.step)}, ${row.variant}: ${row.tflops} TFLOP/s at N = ${n}`)),
            make('text', {x: x + each / 2, y: y(row.tflops) - 5, 'text-anchor': 'middle', class: 'strong'}, row.tflops.toFixed(1)),
            make('text', narrow ? {transform: `translate(${x + each / 2 + 4} ${bottom + 14}) rotate(-28)`, 'text-anchor': 'end', style: 'font-size:10px'}
                : {x: x + each / 2, y: bottom + 17, 'text-anchor': 'middle'}, label));
    });
    return svg;
}

function curves(set, steps, width) { // over N: lines through multiples of 128, single points for other sizes
    const lines = steps.map(step => ({step, rows: lastOf(set, step)})).filter(line => line.rows.length);
    const all = lines.flatMap(line => line.rows.map(row => row.n)), low = Math.log2(Math.min(...all)), high = Math.log2(Math.max(...all));
    const {svg, left, bottom, y} = frame(width, 320, set, 'TFLOP/s over N: ' + lines.map(({step, rows}) => `${named(step)} up to ${Math.max(...rows.map(row => row.tflops)).toFixed(1)}`).join(', '));
    const x = n => left + 12 + (Math.log2(n) - low) / (high - low || 1) * (width - left - 30);
    for (let n = 2 ** Math.ceil(low); n <= 2 ** high; n *= 2) svg.append(make('text', {x: x(n), y: bottom + 17, 'text-anchor': 'middle'}, String(n)));
    svg.append(make('text', {x: width, y: bottom + 34, 'text-anchor': 'end'}, 'N (hollow: no multiple of 128)'));
    for (const {step, rows} of lines) {
        const even = rows.filter(row => row.n % 128 === 0);
        svg.append(make('polyline', {points: even.map(row => `${x(row.n)},${y(row.tflops)}`).join(' '), fill: 'none', stroke: color(step), 'stroke-width': 2,
            'stroke-dasharray': step === 'cublas' ? '6 4' : null}));
        for (const row of rows)
            svg.append(make('circle', {cx: x(row.n), cy: y(row.tflops), r: row.n % 128 ? 2.6 : 3.2, fill: row.n % 128 ? 'var(--paper)' : color(step), stroke: color(step)},
                make('title', {}, `${named(step)}, ${row.variant}: ${row.tflops} TFLOP/s at N = ${row.n}`)));
    }
    return svg;
}

function legend(set, steps) {
    const sample = (paint, dash) => make('svg', {viewBox: '0 0 26 10', 'aria-hidden': 'true'}, make('line', {x1: 0, x2: 26, y1: 5, y2: 5, stroke: paint, 'stroke-width': 3, 'stroke-dasharray': dash}));
    return make('ul', {class: 'legend'}, ...steps.map(step => make('li', {}, sample(color(step), step === 'cublas' ? '6 4' : null), named(step))),
        ...set.peak ? [make('li', {}, sample('var(--soft)', '2 4'), `FP32 peak ${set.peak.toFixed(1)}`)] : []);
}

function figures(rows) {
    return make('details', {}, make('summary', {}, 'The figures'), make('div', {class: 'table'}, make('table', {},
        make('tr', {}, ...['step', 'variant', 'N', 'TFLOP/s'].map(name => make('th', {}, name))),
        ...rows.map(row => make('tr', {}, ...[named(row.step), row.variant, row.n, row.tflops.toFixed(2)].map(cell => make('td', {}, String(cell))))))));
}

function draw(figure) {
    if (!sets) readSets();
    if (!sets.length) return;
    const set = sets[chosen], {kind, step, title} = figure.dataset, names = [...new Set(set.rows.map(row => row.step))].sort();
    const rungs = names.filter(name => /^0[1-9]_/.test(name)), cublas = names.includes('cublas') ? ['cublas'] : [];
    const wide = figure.clientWidth || 640, half = wide < 640 ? wide : (wide - 32) / 2;
    const size = rows => { const all = [...new Set(rows.map(row => row.n))]; return all.includes(4096) ? 4096 : all.sort((a, b) => a - b).at(-1); };
    let parts, shown = [...rungs, ...cublas], said = title, rows = shown.flatMap(name => lastOf(set, name));
    if (kind === 'step') {
        const here = names.find(name => name.startsWith(step)), before = rungs.includes(here) ? rungs[rungs.indexOf(here) - 1] : undefined;
        shown = [before, here, ...cublas].filter(Boolean);
        const own = set.rows.filter(row => row.step === here), n = size(own), first = before && lastOf(set, before).find(row => row.n === n);
        const list = own.filter(row => row.n === n), last = here && lastOf(set, here)[0]?.variant;
        rows = [...own, ...before ? lastOf(set, before) : []];
        said = here ? `${named(here)}${before ? ' against ' + named(before) : ''}: over N, and its variants at N = ${n}` : `step ${step}: not measured here`;
        parts = here ? [curves(set, shown, half), bars(set, [...first ? [{label: before.slice(0, 2) + ' ' + first.variant, row: first}] : [],
            ...list.map(row => ({label: row.variant, row, pale: row.variant !== last}))], n, half)] : [];
    } else if (kind === 'ladder') {
        const n = size(set.rows.filter(row => rungs.includes(row.step)));
        const list = rungs.map(name => lastOf(set, name).find(row => row.n === n)).filter(Boolean);
        rows = list;
        said = `The ladder at N = ${n}, the last variant of each step`;
        parts = [bars(set, list.map(row => ({label: row.step.slice(0, 2), row})), n, wide)];
    } else {
        said = 'Every rung over N = M = K';
        parts = [curves(set, shown, wide)];
    }
    const pick = make('label', {class: 'pick'}, 'your results.csv …', make('input', {type: 'file', accept: '.csv', onchange: event => readFile(event.target.files[0])}));
    figure.replaceChildren(make('figcaption', {}, said, make('small', {}, set.said)),
        make('div', {class: 'choose', role: 'group', 'aria-label': 'Measured on'}, ...sets.map((other, i) => make('button',
            {type: 'button', 'aria-pressed': String(i === chosen), onclick: () => { chosen = i; drawAll(); $('[aria-pressed=true]', figure)[0].focus(); }}, other.name)), pick),
        make('div', {class: 'parts'}, ...parts), legend(set, shown), figures(rows));
}
const drawAll = () => $('.chart').forEach(draw);
// A chart is first drawn when it is less than a screen away: there are more pressing things to do while a page is opened.
const near = new IntersectionObserver(charts => charts.forEach(({isIntersecting, target}) => { if (isIntersecting) { near.unobserve(target); draw(target); } }), {rootMargin: '100%'});
const drawNear = () => $('.chart').forEach(chart => near.observe(chart));

// The booklet's chapters, which are the book without what is only looked for; its list of them leads to the pages until they are there.
async function showBooklet() {
    $('main')[0].append(...$('section:not([hidden])', await loadBook()).map(chapter => chapter.cloneNode(true)));
    for (const link of $('.chapters a')) link.setAttribute('href', '#' + link.getAttribute('href').replace('.html', ''));
    drawNear();
    watch($(SCROLLS));
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

// --- when the page is there
addEventListener('DOMContentLoaded', () => {
    for (const lesson of $('.steps a')) lesson.title = LESSONS[lesson.getAttribute('href')];
    for (const event of ['pointerover', 'focusin']) document.addEventListener(event, showTip);
    document.getElementById('search').addEventListener('click', openSearch);
    document.getElementById('theme').addEventListener('click', () => {
        kept.set('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
        showTheme();
    });
    addEventListener('keydown', event => {
        if (event.key === 'Escape') { tip?.remove(); tip = null; }
        if (event.key === '/' && !event.ctrlKey && !event.metaKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) && !$('dialog').length) {
            event.preventDefault();
            openSearch();
        }
    });
    // On a narrow screen what changed is folded until it is wanted; on a wide one as the reader left it.
    for (const panel of $('.changes')) {
        if (innerWidth < 1152) panel.open = false; else if (kept.get('changes') === 'closed') panel.open = false;
        $(':scope > summary', panel)[0].addEventListener('click', () => { if (innerWidth >= 1152) kept.set('changes', panel.open ? 'closed' : 'open'); });
    }
    drawNear();
    if ($('.booklet').length) window.unpacked = showBooklet();
    let width = innerWidth;
    addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; $('.chart:has(svg)').forEach(draw); } });
    addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('dropping'); });
    addEventListener('dragleave', () => document.body.classList.remove('dropping'));
    addEventListener('drop', event => { event.preventDefault(); document.body.classList.remove('dropping'); readFile(event.dataTransfer.files[0]); });
    // On paper every answer and every table stands open.
    addEventListener('beforeprint', () => {
        drawAll();
        $('.page details:not([open])').forEach(details => { details.open = true; details.dataset.folded = ''; });
    });
    addEventListener('afterprint', () => $('[data-folded]').forEach(details => { details.open = false; delete details.dataset.folded; }));
});
