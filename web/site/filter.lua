-- Pandoc filter that makes a page of the site out of Markdown: it converts links, pictures and the
-- markers of boxes, and adds the sources of measured figures and links to the vocabulary.
--
-- Environment:
--   SOURCE  the page's path in the project
--   PAGE    its name on the site
--   WORK    a folder with pages.tsv, titles.tsv, words.tsv, figures.tsv and variants.tsv, which
--           build.sh wrote
--   TREE    address of the project's other files; ends with /
local source, page = os.getenv 'SOURCE', os.getenv 'PAGE'
local work, tree = os.getenv 'WORK', os.getenv 'TREE'
local text = pandoc.utils.stringify

-- Returns the table WORK/NAME; the first column is the key.
local function read(name)
    local rows = {}
    for line in io.lines(work .. '/' .. name) do
        local key, value = line:match '^([^\t]*)\t(.*)$'
        rows[key] = value
    end
    return rows
end
local pages, titles, terms, figures, variants = read 'pages.tsv', read 'titles.tsv', read 'words.tsv', read 'figures.tsv', read 'variants.tsv'

local still_of, slots_of = dofile 'web/site/stills.lua', dofile 'web/site/slots.lua'
local function html(s) return (s:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'):gsub('"', '&quot;')) end
local function raw(s) return pandoc.RawBlock('html', s) end

-- --- links and pictures

-- Returns a relative link of this page as a path in the project.
local function from_root(target)
    local parts = {}
    for part in ((source:match '^(.*)/' or '') .. '/' .. target):gmatch '[^/]+' do
        if part == '..' then table.remove(parts) elseif part ~= '.' then parts[#parts + 1] = part end
    end
    return table.concat(parts, '/')
end

local function page_of(path) return pages[path] or pages[path .. '/README.md'] or pages[path .. '/task.md'] end

local function link(element)
    local path, anchor = element.target:match '^([^#]*)(.*)$'
    if path == '' or path:match '^%a+:' then return end
    path = from_root(path)
    local to = page_of(path)
    -- The README's section on the ladder is on the start page, its others on a page of their own.
    if path == 'README.md' and anchor ~= '' and anchor ~= '#the-ladder' then to = 'readme' end
    if path == 'docs/glossary.md' and anchor == '' then anchor = '#words-of-the-code' end
    element.target = to and to .. '.html' .. anchor or tree .. path
    -- A link whose text is the name of a page's file gets the page's title instead.
    if to and titles[path] and text(element) == path:match '[^/]*$' then
        element.content = {pandoc.Str((titles[path]:gsub('^%l', string.upper)))}
    end
    return element
end

local heading = ''

-- Returns a picture by plots/request.py in the page's own colours, with a second drawing for a
-- telephone, whose cells are narrower. A row's path becomes 32 empty cells.
local function request(element)
    local file = assert(io.open(from_root(element.src))):read 'a'
    if not file:match '^[^\n]* class="draw">' then return end
    local left, shown = 108, {}
    local width, height, head = file:match 'viewBox="0 0 (%d+) (%d+)"', file:match 'viewBox="0 0 %d+ (%d+)"', file:match '<g transform="translate%(0 (%d+)%)'
    for _, narrow in ipairs {false, true} do
        local by, last, fits, out = narrow and (330 - left) / (width - left) or 1, 0, true, {}
        local function scaled(x) return ('%.4g'):format(x < left and x or left + (x - left) * by) end
        for part in file:match '<g [^>]*>\n(.*)</g>':gmatch '[^\n]+' do
            local y, x, wide = part:match '^<path class="row" d="M%d+ (%d+)', part:match ' x="([%d.]+)"', part:match '^<rect.* width="([%d.]+)"'
            if y then
                local wide, cells = 20 * by - (narrow and 1 or 2) - 3, {}
                for word = 0, 31 do cells[#cells + 1] = ('M%s %gh%.3gv15h-%.3gz'):format(scaled(left + 20 * word + 1.5 / by), y - 7.5, wide, wide) end
                out[#out + 1] = '<path class="idle cells" d="' .. table.concat(cells) .. '"/>'
            elseif wide then
                last = (wide + 2) * by - (narrow and 1 or 2)
                out[#out + 1] = part:gsub(' x="[%d.]+"', ' x="' .. scaled(tonumber(x)) .. '"'):gsub(' width="[%d.]+"', (' width="%.4g"'):format(last))
            else
                fits = fits and not (part:match 'class="on"' and 6.5 * utf8.len(part:match '>(.*)<') > last)
                out[#out + 1] = part:gsub(' x="[%d.]+"', ' x="' .. scaled(tonumber(x)) .. '"')
            end
        end
        local drawn = table.concat(out, '\n')
        if not fits then drawn = drawn:gsub('<text[^\n]* class="on"[^\n]*', '') end
        shown[#shown + 1] = ('<div class="scrolls %s" tabindex="0" role="region" aria-label="drawing: %%s"><svg viewBox="0 0 %d %d" class="draw" role="img" aria-label="%%s" style="min-width:%dpx;max-width:%dpx">%s</svg></div>'):format(
            narrow and 'narrow' or 'wide', narrow and 330 or width, height - head, narrow and 285 or .92 * width // 1, narrow and 420 or 1.2 * width // 1, drawn)
    end
    local title, under = file:match '<title>(.*)</title>', file:match '<desc>(.*)</desc>'
    local said = html((text(element.caption):gsub('^%l', string.upper):gsub('%.$', '')))
    if said == '' then said, title = title, '' else title = title .. '. ' end
    return raw(('<figure class="figure still"><figcaption>%s</figcaption>%s<p class="soft">%s%s.</p></figure>'):format(
        said, (table.concat(shown):gsub('%%s', (said:gsub('%%', '%%%%')))), title, under))
end

local function image(element)
    local path = from_root(element.src)
    local name = path:gsub('^docs/results/', ''):gsub('^docs/', ''):gsub('/', '-')
    if #element.caption == 0 then element.caption = {pandoc.Str(heading)} end
    assert(name:match '%.svg$', path .. ': pages have charts as SVG only')
    local words = {'SAID=' .. html(text(element.caption)), 'web/site/picture.sh', path, (name:gsub('%W', '-'))}
    return pandoc.RawInline('html', pandoc.pipe('env', words, ''))
end

local function figure_of(kind, step, said)
    return ('<figure class="chart" data-kind="%s"%s data-title="%s"><p class="absent">%s: drawn by the page\'s script from ' ..
        'docs/results; the tables have the same figures.</p></figure>'):format(kind, step and ' data-step="' .. step .. '"' or '', html(said), html(said))
end

-- Replaces a chart by one that the page's script draws from measurements; nil for other pictures.
local function chart(element)
    local name = element.src:match 'results/h200/([%w-]+)%.svg$' or element.src:match '^([%w-]+)%.svg$'
    local kind, step = (name or ''):match '^(step)%-(%d%d)$'
    kind = kind or (name == 'ladder' or name == 'sizes') and name
    if not kind then return end
    -- One chart has all the steps of the page of measurements.
    if page == 'measurements' and step then return raw(step == '01' and figure_of('steps', nil, 'The steps') or '') end
    return raw(figure_of(kind, step, text(element.caption)))
end

-- --- where a figure comes from

local counted, used = {}, {} -- number of figures of each source; sources in order of first use

local function note(from)
    if not counted[from] then
        counted[from] = 0
        used[#used + 1] = from
    end
    counted[from] = counted[from] + 1
    return from
end

-- Returns file, GPU, day and commit of a marker's figure (docs/writing.md lists the markers).
local function origin(what)
    local w = {}
    for word in what:gmatch '%S+' do w[#w + 1] = word end
    if w[1] == 'machine' then return note(figures.machine) end
    if w[1] == 'h100' then return note(figures.h100) end
    if w[1] == 'lint' then return note(figures.lint) end
    if w[1] == 'order' then return note(figures.order) end
    if w[1] == 'ratio' then return note(figures[('times %s %s %s burst'):format(w[2], w[3], w[6])] or figures.times) end
    if #w < 4 then return note(figures.times) end
    local kind = figures['column ' .. w[1]] and 'times' or 'counters'
    local mode = w[5] or (kind == 'times' and 'burst' or 'gpu')
    if mode == 'sim' then kind = 'counters' end
    return note(figures[('%s %s %s %s %s'):format(kind, w[2], w[3], w[4], mode)] or figures[kind])
end

-- Makes a span of the text from <!-- value: WHAT --> to <!-- end -->; its title is WHAT and the
-- figure's source.
local function mark_values(inlines)
    local out, inside = pandoc.List(), nil
    for _, element in ipairs(inlines) do
        local what = element.t == 'RawInline' and element.text:match '^<!%-%- value: (.-) %-%->$'
        if what then
            inside = {what = what, content = pandoc.List()}
        elseif inside and element.t == 'RawInline' and element.text == '<!-- end -->' then
            out:insert(pandoc.Span(inside.content, pandoc.Attr('', {'value'}, {title = inside.what .. ': ' .. origin(inside.what)})))
            inside = nil
        elseif inside then
            inside.content:insert(element)
        else
            out:insert(element)
        end
    end
    return out
end

local files = {counters = 'counters', cycles = 'lint', machine = 'machine', copies = 'copies', bands = 'validation', validation = 'validation',
    strassen = 'h100'}

-- Returns a measured table in a part that scrolls, with a line below that names its source.
local function measured(what, block)
    local name, step, size, sim = what:match '^(%S+) ?(%S*) ?(%S*) ?(%S*)'
    local kind = files[name] or 'times'
    local from = figures[('%s %s * %s %s'):format(kind, step, size, kind == 'counters' and (sim == 'sim' and 'sim' or 'gpu') or 'burst')]
        or figures[kind] or 'docs/results/h200'
    note(from)
    return {raw '<div class="table measured">', block, raw(('<p class="from" title="%s">measured: %s</p></div>'):format(html(what), html(from)))}
end

-- --- the glossary

if source:match '/09' then terms.bank = nil end -- its banks are those of registers
local longest = 1
for term in pairs(terms) do
    local _, spaces = term:gsub(' ', '')
    longest = math.max(longest, spaces + 1)
end

-- Returns the term that these words name, in the singular or plural, or nil.
local function known(words) return terms[words] and words or terms[words:gsub('s$', '')] and words:gsub('s$', '') or nil end

local seen, stops = {}, {} -- terms of the section; of the page, at which the Tab key stops
-- Makes each term's first occurrence in a section a link to its entry. The meanings are in
-- data.js, for the page's script. The Tab key stops at the first link of the page only.
local function gloss(block)
    local out, i, inlines = pandoc.List(), 1, block.content
    while i <= #inlines do
        local done
        for words = longest, 1, -1 do
            local last, said, plain = i + 2 * (words - 1), {}, true
            for j = i, math.min(last, #inlines) do
                local t = inlines[j].t
                plain = plain and (t == ((j - i) % 2 == 0 and 'Str' or 'Space') or t == 'SoftBreak' and (j - i) % 2 == 1)
                said[#said + 1] = t == 'Str' and inlines[j].text or ' '
            end
            if plain and last <= #inlines then
                local before, core, after = table.concat(said):match '^([(\'"]*)(.-)([%p]*)$'
                local term = core and core ~= '' and known(core)
                if term and not seen[term] then
                    seen[term] = true
                    if before ~= '' then out:insert(pandoc.Str(before)) end
                    out:insert(pandoc.Link({pandoc.Str(core)}, 'vocabulary.html#' .. terms[term], '', pandoc.Attr('', {'term'}, stops[term] and {tabindex = '-1'} or {})))
                    stops[term] = true
                    if after ~= '' then out:insert(pandoc.Str(after)) end
                    i, done = last + 1, true
                    break
                end
            end
        end
        if not done then
            out:insert(inlines[i])
            i = i + 1
        end
    end
    block.content = out
    return block
end

-- --- boxes of the engine

-- A box is where a reader runs kernels. It shows `absent` if the site was built without
-- build/web/engine.js.
local boxes = 0 -- number of boxes so far
local ids = {} -- of the words' rows so far
local absent = '<p class="absent">Here the kernel runs in the page, where the site was built with its engine. %s</p>'
local function box(step, variant, size)
    boxes = boxes + 1
    return raw(('<div class="try" id="try%s" data-step="%s" data-variant="%s" data-size="%s">' .. absent .. '</div>'):format(boxes == 1 and '' or boxes, step, variant, size,
        ('In a terminal: <code>build/ladder --backend sim --step %s --variant %s --size %s</code>.'):format(step, variant:gsub('%d+/[^,]*,', ''), size)))
end

-- Returns the place of an animation, with a still frame by web/site/posters.js if there is one.
local function motion(kernel)
    local file = io.open(('%s/posters/%s.html'):format(work, kernel:match '^[^/]*'))
    local poster = file and file:read 'a' or ''
    if file then file:close() end
    return raw(('<div class="motion" data-kernel="%s">%s</div>'):format(kernel, poster))
end

local function marker(comment)
    local step, variant, size = comment:match '^<!%-%- try: (%S+) (%S+) (%d*) ?%-%->'
    if step then return box(step, variant, size == '' and 256 or size) end
    local kind = comment:match '^<!%-%- slider: (%S+) %-%->'
    if kind then return raw(('<div class="slider" data-kind="%s">' .. absent .. '</div>'):format(kind, '')) end
    local kernel = comment:match '^<!%-%- motion: (%S+) %-%->'
    if kernel then return motion(kernel) end
end

-- --- listings of CUDA

local keywords = {}
for word in io.lines 'web/site/words.txt' do keywords[word] = true end

-- Returns the lines of a listing, with the common indentation of each part removed. A part ends at
-- an empty line outside of braces, because the parts may be excerpts from several places.
local function dedented(block)
    local lines, out, first, depth = {}, {}, 1, 0
    local function finish(last)
        local least = 99
        for i = first, last do
            if lines[i]:match '%S' and not lines[i]:match '^#' then least = math.min(least, #lines[i]:match '^ *') end
        end
        for i = first, last do out[i] = lines[i]:match '^#' and lines[i] or lines[i]:sub(least + 1) end
        first = last + 1
    end
    for line in (block.text .. '\n'):gmatch '(.-)\n' do
        lines[#lines + 1] = line
        local code = line:gsub('//.*$', '')
        local _, opened = code:gsub('{', '')
        local _, closed = code:gsub('}', '')
        depth = depth + opened - closed
        if depth == 0 and not line:match '%S' then finish(#lines) end
    end
    finish(#lines)
    return out
end

-- Returns a listing with marks on comments, directives and keywords, like those of diff.awk.
local function listing(block)
    local out = {}
    for i, line in ipairs(dedented(block)) do
        local code, comment = line:match '^(.-)(//.*)$'
        code = html(code or line)
        code = code:match '^#' and '<b>' .. code .. '</b>' or code:gsub('[%a_][%w_]*', function(word) return keywords[word] and '<em>' .. word .. '</em>' end)
        out[i] = code .. (comment and '<i>' .. html(comment) .. '</i>' or '')
    end
    return raw('<pre class="c"><code>' .. table.concat(out, '\n') .. '</code></pre>')
end

-- Replaces a command that begins an exercise, e.g. `make exercise EX=01c # what it asks`, by a link
-- to the exercise's page.
local function exercise(block)
    local id, asks = block.text:match '^make exercise EX=(%w+)%s*#?%s*([^\n]*)$'
    if not id then return end
    if asks == '' then
        for path, title in pairs(titles) do
            if path:match('^exercises/' .. id .. '_') then asks = title:gsub('^%w+: ', '') end
        end
    end
    return raw(('<p class="begin"><a class="button" href="exercise-%s.html">Exercise %s</a> <span>%s</span> <small>in a terminal: <code>make exercise EX=%s</code></small></p>'):format(
        id, id, html(asks:sub(1, 1):upper() .. asks:sub(2)), id))
end

-- --- bets

-- True if the box of this lesson begins with a bet: the reader guesses a result before a run.
local function bets(step)
    local file = step and source:match '^steps/[^/]*/README%.md$' and io.open((source:gsub('README%.md$', 'bet.mjs')))
    if file then file:close() end
    return file and true or false
end

-- Returns a list of the three things to do in a lesson, in order: look, bet, do an exercise. The
-- page's script marks those that are done, and the next one.
local function way(step, blocks)
    local id
    for _, block in ipairs(blocks) do id = id or block.t == 'CodeBlock' and block.text:match '^make exercise EX=(%w+)' or nil end
    if not bets(step) or not id then return raw '' end
    return raw(('<ol class="way"><li data-way="look"><a href="#the-idea">Picture and idea</a></li><li data-way="bet"><a href="#try">Bet, then run</a></li>' ..
        '<li data-way="exercise"><a href="exercise-%s.html">Exercise %s</a></li></ol>'):format(id, id))
end

-- --- mathematics

local signs = {['*'] = '×', ['<='] = '≤', ['>='] = '≥'}
-- Formats a word of running text: mathematical signs, powers (2^24) and indices (c_ij). i^1 stays,
-- because it is an exclusive or.
local function formula(word)
    if signs[word.text] then return pandoc.Str(signs[word.text]) end
    local out, rest = pandoc.List(), word.text
    while true do
        local before, mark, script, after = rest:match '^(.-[%w%)|])([%^_])(%-?%w+)(.*)$'
        if not mark or before == 'i' or mark == '_' and not script:match '^[ijk]+$' then break end
        out:insert(pandoc.Str(before))
        out:insert((mark == '^' and pandoc.Superscript or pandoc.Subscript) {pandoc.Str((script:gsub('^%-', '−')))})
        rest = after
    end
    if #out == 0 then return end
    if rest ~= '' then out:insert(pandoc.Str(rest)) end
    return out
end

local gap = pandoc.Str '\u{a0}'
-- Puts no-break spaces where no line may end: 32 × 32, N = 256, 12 %, i ^ 1.
local function joined(inlines)
    local function said(i) return inlines[i] and (inlines[i].t == 'Str' and inlines[i].text or inlines[i].content and text(inlines[i])) or '' end
    for i = 2, #inlines do
        local at, between = said(i), inlines[i - 1].t == 'Space'
        if between and at:match '^%%' and said(i - 2):match '%d$' then inlines[i - 1] = gap end
        local after = inlines[i + 1] and inlines[i + 1].t == 'Space' and said(i + 2)
        if between and after and (at == 'x' and said(i - 2):match '%f[%w][%d%u]%w*$' and after:match '^[%d%u]%w*%f[%W]' or
            at == '=' and said(i - 2):match '^%(?%u$' and after:match '^%d' or at == '^' and after:match '^%d') then
            inlines[i - 1], inlines[i + 1] = gap, gap
            if at == 'x' then inlines[i] = pandoc.Str '×' end
        end
    end
    return inlines
end

-- whole(WORD): TFLOP/s and other units with a slash, which some browsers would break behind it.
local function whole(word)
    if word.text:match '^%a+/%a+%f[%A]%p*$' and #word.text < 16 then return pandoc.Span({word}, pandoc.Attr('', {'whole'})) end
end
-- In a table the name of a step, file or variant breaks behind its _ only.
local function name(word)
    if not word.text:match '^[%w_]+_[%w_]+$' then return end
    local broken = word.text:gsub('_', '_<wbr>')
    return pandoc.RawInline('html', word.t == 'Code' and '<code>' .. broken .. '</code>' or broken)
end

-- Gives a cell `? <!-- NUMBER -->` its right number (page/site/place.js).
local function open_cell(cell)
    local right = #cell.content == 3 and (cell.content[3].text or ''):match '^<!%-%- (%d+) %-%->$'
    if right then return pandoc.Plain {pandoc.Span({cell.content[1]}, pandoc.Attr('', {'fill'}, {right = right}))} end
end

-- --- the page

-- Folds "*Expect: ...*" at the end of a question.
local function fold_expect(block)
    local last = block.content[#block.content]
    if not last or last.t ~= 'Emph' or not text(last):match '^Expect' then return end
    block.content:remove()
    return {block, raw '<details><summary>What to expect</summary>', pandoc.Para(last.content), raw '</details>'}
end

-- Returns the README's blocks that belong to this page: the section of the ladder on the start
-- page, all others on the page about the project.
local function part_of_readme(blocks)
    local out, start = pandoc.List(), false
    for _, block in ipairs(blocks) do
        if block.t == 'Header' and block.level == 2 then start = block.identifier == 'the-ladder' end
        if start == (page == 'index') then out:insert(block) end
    end
    return out
end

local function sources_of_figures(out)
    if #used == 0 then return end
    out:insert(raw '<details class="sources"><summary>Where the measured figures of this page come from</summary><ul>')
    for _, from in ipairs(used) do
        out:insert(raw(('<li>%s: %d</li>'):format(html(from), counted[from])))
    end
    out:insert(raw '</ul></details>')
end

-- Describes the page for shared links: the sentences of its first long paragraph, up to 220 bytes.
local function description_of(blocks)
    for _, block in ipairs(blocks) do
        local said = block.t == 'Para' and block.content[1].t ~= 'Image' and text(block):gsub('%s+', ' ')
        if said and #said > 40 and not said:match '^Contents' then
            local short = said:sub(1, 220)
            return #said <= 220 and said or short:match '^(.*[%.%?!]) ' or short:gsub('%s%S*$', '') .. ' …'
        end
    end
    return 'A course in making matrix multiplication fast on a GPU, with kernels that run in the page.'
end

-- Returns the animation of a lesson that has no marker for one; it follows the first paragraph.
local function motion_of(step, blocks)
    for _, block in ipairs(blocks) do
        local what = block.t == 'RawBlock' and block.text or step and block.t == 'CodeBlock' and still_of(step, block.text) or ''
        if what:match '^<!%-%- motion: ' then return raw '' end
    end
    local folder = source:match '^steps/([^/]*)/'
    return step and step:match '^0[1-9]$' and variants[step] and motion(folder .. '/' .. variants[step]) or raw ''
end

function Pandoc(doc)
    local blocks = pandoc.List(source == 'README.md' and part_of_readme(doc.blocks) or doc.blocks)
    local step = source:match '^steps/(%d%d)[^/]*/README%.md$'
    local title, tried, table_of = text(doc.meta.title or 'The README'), false, nil
    doc.meta.description = page == 'index' and 'Nine steps from a naive GPU kernel to machine code that is faster than cuBLAS. Bet on a number, run the kernels, break them, step through them: in the page, without a GPU.'
        or description_of(doc.blocks)
    for _, block in ipairs(blocks) do tried = tried or block.t == 'RawBlock' and block.text:match '^<!%-%- try: ' end
    local out, opened, opening, close = pandoc.List(), page == 'index', nil, nil
    if page == 'index' then
        title = 'SGEMM, step by step'
        opening, close = os.getenv('HERO'):match '^(.*)<!%-%- figures %-%->(.*)$'
        out:insert(raw(opening .. '<details class="against" id="the-ladder"><summary>The figures, and what they are measured against</summary>'))
        blocks:remove(1) -- the heading
    end
    -- The section after the box has the answer to the lesson's bet. It is folded until the reader
    -- has bet.
    local answer = nil -- 'next': the next section is the answer; 'open': it has begun
    for _, block in ipairs(blocks) do
        local fragment = {block}
        if answer == 'open' and block.t == 'Header' and block.level == 2 then
            out:insert(raw '</details>')
            answer = nil
        end
        if block.t == 'Header' then
            heading, seen = text(block), {}
            if block.level == 1 and not doc.meta.title and page ~= 'index' then
                title = heading
                local short = heading:match '^Step %d+: (.*)$' or heading:match '^Side lesson %d+: (.*)$' -- the number is in the line above
                if step and short then block.content = {pandoc.Str(short:sub(1, 1):upper() .. short:sub(2))} end
            end
            if step and not tried and block.level == 2 and (block.identifier == 'look-for-yourself' or block.identifier == 'exercises')
                and variants[step] then
                out:insert(box(step, variants[step], 256))
                tried = true
            end
        elseif block.t == 'RawBlock' then
            local what = block.text:match '^<!%-%- table: (.-) %-%->'
            local placed = marker(block.text)
            if bets(step) and block.text:match '^<!%-%- try: ' then answer = 'next' end
            table_of = what or table_of
            if placed then fragment = {placed} elseif block.text:match '^<!%-%-' then fragment = {} end
        elseif block.t == 'CodeBlock' and block.classes:includes 'c' then
            fragment = {listing(block)}
        elseif block.t == 'CodeBlock' and block.classes:includes 'math' then
            fragment = {raw '<div class="formula">', pandoc.Plain {pandoc.Math('DisplayMath', block.text)}, raw '</div>'}
        elseif block.t == 'CodeBlock' and step and still_of(step, block.text) then
            local still = still_of(step, block.text)
            fragment = {marker(still) or raw(still)}
        elseif block.t == 'CodeBlock' and step and exercise(block) then
            fragment = {exercise(block)}
        elseif block.t == 'CodeBlock' then
            -- Listings with long lines have smaller letters in print.
            for line in block.text:gmatch '[^\n]+' do if #line > 130 and not block.classes:includes 'wide' then block.classes:insert 'wide' end end
        elseif block.t == 'Table' then
            -- Each word of the vocabulary has an id, so that the search can link to it.
            for _, body in ipairs(source == 'docs/vocabulary.md' and block.bodies or {}) do
                for _, row in ipairs(body.body) do
                    local id = 'word-' .. text(row.cells[1].contents[1]):gsub('%W+', '-'):lower()
                    row.attr = pandoc.Attr(ids[id] and id .. '-in-code' or id)
                    ids[id] = true
                end
            end
            block = pandoc.walk_block(block, {Plain = open_cell})
            fragment = table_of and measured(table_of, block) or {raw '<div class="table">', block, raw '</div>'}
            table_of = nil
        elseif block.t == 'Para' and #block.content == 1 and block.content[1].t == 'Image' then
            local src = block.content[1].src
            local still = still_of(src:match '(%d%d)%-[%w-]+%.svg$', src)
            local slots = not still and slots_of(from_root(src), text(block.content[1].caption))
            fragment = {(still or slots) and raw(still or slots) or chart(block.content[1]) or request(block.content[1]) or pandoc.Div({block}, pandoc.Attr('', {'picture'}))}
        elseif block.t == 'Para' and block.content[1].t == 'Link' and text(block.content[1]) == 'Contents' then
            -- Lessons have the sidebar and the pager, so their link to the contents is left out.
            fragment = step and {} or {pandoc.Div({block}, pandoc.Attr('', {'crumbs'}))}
        end
        local glossed = source ~= 'docs/vocabulary.md' and block.t ~= 'Table' and block.t ~= 'Header' and {Para = gloss, Plain = gloss} or {}
        local group = pandoc.walk_block(pandoc.Div(fragment), {Inlines = mark_values})
        group = pandoc.walk_block(group, {Para = fold_expect, Plain = fold_expect})
        group = pandoc.walk_block(pandoc.walk_block(pandoc.walk_block(group, glossed), {Str = formula}), {Inlines = joined})
        group = pandoc.walk_block(group, block.t == 'Table' and {Str = function(word) return whole(word) or name(word) end, Code = name} or {Str = whole})
        out:extend(pandoc.walk_block(group, {Link = function(l) if not l.classes:includes 'term' then return link(l) end end, Image = image}).content)
        if answer == 'next' and block.t == 'Header' then
            out:insert(raw '<details class="answer"><summary>The answer is here. Bet first, or look</summary>')
            answer = 'open'
        end
        if not opened and block.t == 'Para' and fragment[1] and not fragment[1].classes then
            out:insert(way(step, blocks))
            out:insert(motion_of(step, blocks))
            opened = true
        end
    end
    if answer == 'open' then out:insert(raw '</details>') end
    if step and not tried and variants[step] then out:insert(box(step, variants[step], 256)) end
    sources_of_figures(out)
    if close then out:insert(raw('</details>' .. close)) end
    doc.blocks = out
    doc.meta.pagetitle = title
    doc.meta.tabtitle = page == 'index' and title or title .. ' · SGEMM, step by step'
    return doc
end
