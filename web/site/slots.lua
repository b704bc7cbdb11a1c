-- Redraws gnuplot's charts of issue slots in the notation and colours of the page's own timeline
-- (web/page/timeline.js). There are two kinds: a scheduler's warps over cycles (plots/slots.gp),
-- read from the SVG, and a loop as a strip (plots/strip.gp), read from strip.csv. Each has a second
-- drawing for a telephone.
local function html(s) return (s:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'):gsub('"', '&quot;')) end
local function read(path) return assert(io.open(path)):read 'a' end
local function plain(s) return (s:gsub('<[^>]*>', ''):gsub('^%s+', ''):gsub('%s+$', '')) end
-- Returns a number as text, with at most one decimal.
local function number(x) return (('%.1f'):format(x):gsub('%.0$', '')) end
local function rect(x, y, width, height) return ('M%s %sh%sv%dh-%sz'):format(number(x), number(y), number(width), height, number(width)) end
local function label(x, y, said, class, anchor)
    return ('<text x="%s" y="%s"%s%s>%s</text>'):format(number(x), number(y), class and ' class="' .. class .. '"' or '', anchor and ' text-anchor="' .. anchor .. '"' or '', html(said))
end
-- Returns a drawing. `above`: the height of what it has at negative y.
local function drawing(narrow, width, height, said, parts, above)
    return ('<div class="scrolls %s" tabindex="0" role="region" aria-label="drawing: %s"><svg viewBox="0 %d %d %d" class="draw" role="img" aria-label="%s" style="min-width:%dpx;max-width:%dpx">%s</svg></div>'):format(
        narrow and 'narrow' or 'wide', html(said), -(above or 0), width, height + (above or 0), html(said), narrow and 285 or width, narrow and 520 or 1.35 * width // 1, table.concat(parts))
end
-- Returns a figure with its legend: `kinds` has a {class, words, share} for each of its entries.
local function figure(title, kinds, drawn, note)
    local keys = {}
    for i, kind in ipairs(kinds) do keys[i] = ('<li><svg viewBox="0 0 26 10" aria-hidden="true"><rect x="1" y="1" width="24" height="8" class="%s"/></svg>%s%s</li>'):format(kind[1], html(kind[2]), kind[3] and (' <b>%.2g %%</b>'):format(kind[3]) or '') end
    return ('<figure class="figure still"><figcaption>%s</figcaption><ul class="legend">%s</ul>%s<p class="soft">%s</p></figure>'):format(html(title), table.concat(keys), table.concat(drawn), html(note))
end
-- Returns a chart's title, and the line below the title.
local function titles(file)
    return plain(file:match 'font%-weight="bold"[^>]*>([^<]*)'), plain(file:match 'font%-size="12%.0">([^<]*)')
end
-- Adds numbers below an axis to `parts`; at(VALUE) is a value's x. The first and the last number
-- stay inside the drawing.
local function ticks(parts, every, at, from, to, y, width)
    for value = math.ceil(from / every) * every, to, every do
        local x = at(value)
        parts[#parts + 1] = label(x, y, ('%d'):format(value), 'axis', x > width - 20 and 'end' or x < 10 and 'start' or 'middle')
    end
end

-- The kinds of slots, in the order of plots/slots.gp: class, words of timeline/kinds.js.
local slots = {{'k-fma', 'FFMA'}, {'k-other', 'other arithmetic'}, {'k-shared', 'shared memory'}, {'k-device', 'device memory'}, {'k-branch', 'branch, barrier'},
    {'k-wait-barrier', 'waits for a barrier'}, {'k-wait-device', 'waits for device memory'}, {'k-wait-shared', 'waits for shared memory'}, {'k-wait-queue', 'waits for a full queue'},
    {'k-wait-other', 'waits for a result'}, {'k-ready', 'ready, another warp was chosen'}, {'k-wait-other k-ready', 'waits for something else'}}

local function timeline(path, said)
    local file, rows, marks, spans, kinds, shares = read(path), {}, {}, {}, {}, {}
    for y, name in file:gmatch '<text x="[%d.]+" y="([%d.]+)"[^>]*text%-anchor="end">([^<]*)</text>' do rows[#rows + 1] = {y = tonumber(y) - 4.5, name = plain(name)} end
    for x, value in file:gmatch '<text x="([%d.]+)"[^>]*text%-anchor="middle">%s*(%d+)</text>' do marks[#marks + 1] = {tonumber(x), tonumber(value)} end
    local first, last = marks[1], marks[#marks]
    local function cycle(x) return first[2] + (tonumber(x) - first[1]) * (last[2] - first[2]) / (last[1] - first[1]) end
    local from, to = math.huge, -math.huge
    for i = 1, #slots do
        local plot = file:match(('<g id="gnuplot_plot_%d" >(.-)<g id="gnuplot_plot_%d"'):format(i, i + 1))
        for left, middle, width in plot:gmatch 'M([%d.]+),([%d.]+)h([%d.]+)' do
            local row, right = 1, left + width
            for at = 2, #rows do if math.abs(rows[at].y - middle) < math.abs(rows[row].y - middle) then row = at end end
            spans[#spans + 1] = {kind = i, row = row, from = cycle(left), to = cycle(right)}
            from, to = math.min(from, cycle(left)), math.max(to, cycle(right))
            if not shares[i] then kinds[#kinds + 1], shares[i] = i, tonumber(file:match('>%s*' .. slots[i][2] .. ' ([%d.]+) %%') or 0) end
        end
    end
    -- A legend has at most six entries: the rarest kinds are "other", but never FFMA.
    local function rank(i) return i == 1 and 100 or slots[i][1]:match '^k%-wait%-other' and 0 or shares[i] end
    table.sort(kinds, function(a, b) return rank(a) > rank(b) end)
    local shown, classes = {}, {}
    for at, i in ipairs(kinds) do
        local words = slots[i][2]
        classes[i] = slots[i][1]
        if at > 5 and #kinds > 6 then classes[i], words = 'k-wait-other', 'other' end
        if shown[6] then shown[6][3] = shown[6][3] + shares[i] else shown[at] = {classes[i], words, shares[i]} end
    end
    table.sort(spans, function(a, b) return a.from < b.from end)
    -- The longest gap between FFMAs has a bracket, if it is a seventh of the picture.
    local title, under = titles(file)
    local gap, since, ended = (to - from) / 7, nil, from
    for _, span in ipairs(spans) do
        if span.row == #rows and span.kind == 1 then
            if span.from - ended > gap then gap, since = span.from - ended, ended end
            ended = span.to
        end
    end
    local blocks = {}
    for x in (file:match '<g id="gnuplot_plot_25" >(.-)<g id="gnuplot_plot_26"' or ''):gmatch 'M([%d.]+),[%d.]+' do blocks[cycle(x)] = true end
    local high, drawn = #rows > 6 and 20 or 28, {}
    local id = path:gsub('^.*/', ''):gsub('%W', '-')
    for _, narrow in ipairs {false, true} do
        local width, left = narrow and 330 or 680, narrow and 58 or 60
        local function at(value) return left + (value - from) * (width - left) / (to - from) end
        local parts, below = {}, high * #rows + 4
        for row, one in ipairs(rows) do parts[#parts + 1] = label(left - 8, high * (row - 1) + (row == #rows and 4 or 0) + high // 2 + 4, one.name, nil, 'end') end
        if narrow then
            local share = (330 - 58) / (680 - 60)
            parts[#parts + 1] = ('<use href="#%s" transform="translate(%s) scale(%.4f 1)"/>'):format(id, number(58 - 60 * share), share)
        else
            local paths = {}
            for _, span in ipairs(spans) do
                local class = classes[span.kind]
                paths[class] = (paths[class] or '') .. rect(at(span.from), high * (span.row - 1) + (span.row == #rows and 4 or 0), at(span.to) - at(span.from), high - 2)
            end
            parts[#parts + 1] = '<g id="' .. id .. '">'
            for _, kind in ipairs(shown) do parts[#parts + 1] = ('<path class="%s" d="%s"/>'):format(kind[1], paths[kind[1]]) end
            parts[#parts + 1] = '</g>'
        end
        for value in pairs(blocks) do parts[#parts + 1] = ('<path class="wait" d="M%s 0v%d"/>'):format(number(at(value)), below - high - 4) end
        if since then
            local left, right = at(since), at(since + gap)
            parts[#parts + 1] = ('<path class="stroke" d="M%s %dV-6H%sV%d"/>'):format(number(left), below - 6, number(right), below - 6)
            parts[#parts + 1] = label((left + right) / 2, -12, 'no FFMA for ' .. title:match '%d+ cycles$', 'strong', 'middle')
        end
        local every = marks[2][2] - marks[1][2]
        while (width - left) * every / (to - from) < 60 do every = every * 2 end
        ticks(parts, every, at, from, to, below + 16, width)
        parts[#parts + 1] = label(left, below + 34, 'cycles of the SM', 'axis')
        drawn[#drawn + 1] = drawing(narrow, width, below + 38, said, parts, since and 28)
    end
    return figure(said:gsub('^%l', string.upper):gsub('%.$', ''), shown, drawn, title .. '. Above, % of the warps’ time. Issue: what the scheduler issues. ' .. (next(blocks) and 'Dashed: a block starts or ends. ' or '') .. under:gsub('^%l', string.upper) .. '.')
end

local cells = {{'fused', 'idle', 'FFMA, one cycle'}, {'conflict', 'accent', 'FFMA or another that waits for a register bank'}, {'shared', 'k-shared', 'load from shared memory (LDS)'},
    {'copy', 'k-device', 'copy to shared memory (LDGSTS)'}, {'integer', 'k-other', 'integer, predicates'}, {'barrier', 'ink', 'barrier'}, {'branch', 'k-branch', 'branch'}, {'never', 'hollow', 'does nothing (@!PT)'}}

local function strip(path, variant, said)
    local found, longest, lines, present = {}, 0, 0, {}
    for name, row, at, cycles, kind in read(path:gsub('[^/]*$', 'strip.csv')):gmatch '09_reuse_sass,([^,]*),(%d+),(%d+),(%d+),(%a%w*)' do
        if name == variant then
            found[#found + 1] = {row = tonumber(row), from = tonumber(at), to = at + cycles, kind = kind}
            if kind ~= 'never' then longest = math.max(longest, at + cycles) end
            lines, present[kind] = math.max(lines, row + 1), true
        end
    end
    local title = titles(read(path))
    local drawn, by_k, each = {}, variant:match '^hand', title:match 'per (%d+) FFMA' // lines
    for _, narrow in ipairs {false, true} do
        -- On a telephone, each line of the strip takes two.
        local width, left, fold = narrow and 330 or 680, by_k and 44 or 64, narrow and math.ceil(longest / 20) * 10 or longest
        local per, one = narrow and 2 or 1, (width - left) / fold
        local high = narrow and 44 or 22
        local paths, parts = {}, {}
        for _, cell in ipairs(found) do
            for half = 0, per - 1 do
                local from, to = math.max(cell.from, half * fold), math.min(cell.to, (half + 1) * fold)
                if from < to then paths[cell.kind] = (paths[cell.kind] or '') .. rect(left + (from - half * fold) * one, high * cell.row + 19 * half, (to - from) * one, 17) end
            end
        end
        for _, kind in ipairs(cells) do
            if paths[kind[1]] then parts[#parts + 1] = ('<path class="%s" d="%s"/>'):format(kind[2], paths[kind[1]]) end
        end
        for k = 0, lines - 1 do parts[#parts + 1] = label(0, high * k + 13, (by_k and 'k = %d' or 'FFMA %d'):format(by_k and k or k * each + 1)) end
        local below = high * lines
        ticks(parts, 20, function(value) return left + value * one end, 0, fold, below + 14, width)
        parts[#parts + 1] = label(left, below + 32, 'issue cycles' .. (narrow and ('; a line goes on below, from %d on'):format(fold) or ''), 'axis')
        drawn[#drawn + 1] = drawing(narrow, width, below + 36, said, parts)
    end
    local shown = {}
    for _, kind in ipairs(cells) do if present[kind[1]] then shown[#shown + 1] = {kind[2], kind[3]} end end
    return figure(title, shown, drawn, said:gsub('%.$', '') .. ('. A row has %d FFMAs; a cell is an issue cycle, left to right, top to bottom.'):format(each))
end

-- Returns the figure for a picture's path and caption; nil if it is not a chart of issue slots.
return function(path, said)
    if path:match '%-time%.svg$' then return timeline(path, said) end
    local variant = path:match '/strip%-([%w_]+)%.svg$'
    if variant then return strip(path, variant, said) end
end
