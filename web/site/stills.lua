-- Drawings that replace the text drawings of the lessons' Markdown, in the notation of
-- web/page/draw.js. The members of a drawing:
--   words   a part of the text drawing; where it is not found, the page keeps the text
--   panels  rectangles {x, y, width, height}; they stand side by side where there is room, and
--           below each other on a telephone
--   phone   for a drawing that is too wide for a telephone: the height of another one, 330 wide,
--           which draw(TEXT, true) makes
--   note    text below the drawing
--   marker  of a moving picture, which replaces the text instead (web/README.md)
local parts

local function add(...) parts[#parts + 1] = string.format(...) end
local function label(x, y, text, class, anchor)
    add('<text x="%g" y="%g"%s%s>%s</text>', x, y, class and ' class="' .. class .. '"' or '', anchor and ' text-anchor="' .. anchor .. '"' or '', text)
end
-- Adds a cell. Its text is centred, and light on a colour. Classes: style.css, at --a.
local function cell(x, y, width, height, class, text)
    add('<rect x="%g" y="%g" width="%g" height="%g" rx="%g" class="%s"/>', x, y, width, height, math.min(3, height / 4), class)
    if text then label(x + width / 2, y + height / 2 + 4.5, text, (class:match '^w%d' or class:match '^[ABC]$' or class == 'lane') and 'num on' or 'num', 'middle') end
end
-- Adds rows of cells. of(ROW, COLUMN), both from 0, returns the class and the text of a cell.
local function grid(x, y, rows, columns, width, height, of)
    for row = 0, rows - 1 do
        for column = 0, columns - 1 do
            local class, text = of(row, column)
            cell(x + column * width, y + row * height, width - 2, height - 2, class, text)
        end
    end
end
local function line(x1, y1, x2, y2) add('<path d="M%g %gL%g %g" class="stroke"/>', x1, y1, x2, y2) end

local stills = {}

stills['00'] = {{
    words = 'latency: when can the next start', title = 'One chain waits for each result; four chains fill every cycle', width = 640, height = 150, panels = {{0, 0, 295, 150}, {330, 0, 295, 150}},
    draw = function()
        for panel, way in ipairs {{1, 'latency: one chain', 'one result in 4 cycles'}, {4, 'throughput: four chains', 'one FFMA per cycle'}} do
            local x = 330 * (panel - 1)
            label(x, 14, way[2], 'strong')
            label(x, 36, 'cycle', 'axis')
            for cycle = 0, 7 do label(x + 54 + 32 * cycle, 36, cycle, 'axis', 'middle') end
            for chain = 0, way[1] - 1 do
                label(x, 57 + 22 * chain, 'x' .. chain, 'num')
                grid(x + 39, 42 + 22 * chain, 1, 8, 32, 22, function(_, cycle) return cycle % 4 == chain and 'w' .. chain + 1 or 'idle', cycle % 4 == chain and 'F' or nil end)
            end
            label(x + 39, 146, way[3] .. '; F: an FFMA starts')
        end
    end}}

stills['01'] = {{
    words = 'coalesced: lanes along a row of C', title = 'Along a row, 32 lanes read floats side by side; down a column, a row apart', width = 640, height = 196, panels = {{0, 0, 298, 196}, {330, 0, 298, 196}},
    draw = function()
        local ways = {
            {0, 'coalesced: lanes along a row of C', function(row, k) return row == 2 and k == 1 end, function(k) return k == 1 end, 'one float for all lanes', '32 floats side by side'},
            {330, 'uncoalesced: lanes down a column of C', function(_, k) return k == 1 end, function(k, column) return k == 1 and column == 3 end, '32 floats, a row apart', 'one float for all lanes'}}
        for _, way in ipairs(ways) do
            local x = way[1]
            label(x, 14, way[2], 'strong')
            label(x, 42, 'A: rows and k', 'axis')
            label(x + 128, 42, 'B: k and columns', 'axis')
            grid(x, 50, 7, 5, 17, 17, function(row, k) return way[3](row, k) and 'A' or 'idle' end)
            grid(x + 128, 50, 7, 10, 17, 17, function(k, column) return way[4](k, column) and 'B' or 'idle' end)
            label(x, 188, way[5])
            label(x + 160, 188, way[6])
        end
    end}}

stills['02'] = {{
    words = '02-tiles.svg', title = 'Four pairs of tiles, one after another, make one tile of C', width = 640, height = 196, panels = {{0, 0, 149, 164}, {164, 0, 149, 164}, {328, 0, 149, 164}, {492, 0, 149, 164}, {0, 172, 310, 22}, {320, 172, 320, 22}},
    draw = function()
        for round = 0, 3 do
            local x = 164 * round
            local function of(tile, matrix) return tile == round and matrix or tile == round + 1 and matrix .. ' load' or 'idle' end
            grid(x + 108, 4, 4, 1, 28, 26, function(tile) return of(tile, 'B'), tile == round and 'Bs' or nil end)
            grid(x, 114, 1, 4, 26, 28, function(_, tile) return of(tile, 'A'), tile == round and 'As' or nil end)
            cell(x + 108, 114, 26, 26, 'sum', round + 1 .. '/4')
            label(x, 104, 'A', 'axis')
            label(x + 94, 16, 'B', 'axis')
            label(x + 140, 132, 'C', 'axis')
            label(x, 160, round == 0 and 'from k = 0' or 'from k = ' .. (round > 1 and round .. ' ' or '') .. 'TILE')
        end
        for at, matrix in pairs {[0] = 'A', [18] = 'B'} do
            cell(at, 178, 14, 14, matrix)
            cell(196 + at, 178, 14, 14, matrix .. ' load')
        end
        label(38, 190, 'in shared memory, in use')
        label(234, 190, 'fetched next')
        cell(326, 178, 14, 14, 'sum')
        label(346, 190, 'sums in registers: tiles added so far')
    end}}

stills['08'] = {{
    words = 'two buffers   fetch 1', title = 'Fetch and compute in turns, or at the same time', width = 640, height = 128, phone = 128,
    draw = function(_, phone)
        local wide = phone and 82 or 160
        local function bar(y, at, kind, tile) cell(wide * at, y, wide - 3, 24, kind == 'fetch' and 'load' or 'w1', kind .. ' ' .. tile) end
        label(0, 14, 'step 07', 'strong')
        label(0, 66, 'two buffers', 'strong')
        for at = 0, 3 do
            bar(22, at, at % 2 == 0 and 'fetch' or 'compute', at // 2 + 1)
            if at > 0 then bar(74, at, 'compute', at) end
            bar(at == 0 and 74 or 102, at, 'fetch', at + 1)
        end
    end}, {
    words = '08-ring.svg', title = 'A ring of four stages: the stage that was read takes the tile four further on', width = 640, height = 162, phone = 162,
    draw = function(_, phone)
        local left, wide = phone and 44 or 130, phone and 71 or 126
        label(0, 12, phone and 'for' or 'computed', 'axis')
        for stage = 0, 3 do label(left + wide * stage, 12, 'stage ' .. stage, 'axis') end
        for tile = 0, 4 do
            label(0, 36 + 28 * tile, 'tile ' .. tile)
            for stage = 0, 3 do
                local ahead = (stage - tile) % 4
                cell(left + wide * stage, 20 + 28 * tile, wide - 4, 24, ahead == 0 and 'w1' or ahead == 3 and 'load' or 'idle',
                    (phone and '' or 'tile ') .. tile + ahead .. (ahead == 0 and ', read' or ahead == 3 and ', copied' or ''))
            end
        end
    end}}

stills['03'] = {{
    words = 'b_frag   TN = 8', title = 'The larger the tile of a thread, the fewer values it loads per FMA', width = 640, height = 208, panels = {{0, 0, 164, 208}, {164, 0, 164, 208}, {328, 0, 164, 208}, {492, 0, 164, 208}},
    note = 'At the left of each tile are the thread’s values of A, above it those of B. The price of 8 × 8: 64 sums in registers.',
    draw = function()
        for i, values in ipairs {'2 values', '1 value', '1/2 value', '1/4 value'} do
            local n, x = 1 << i - 1, 164 * i - 164
            label(x, 14, ('%d × %d'):format(n, n), 'strong')
            label(x, 32, ('%d loads, %d FMA%s'):format(2 * n, n * n, n > 1 and 's' or ''))
            label(x, 49, values .. ' per FMA', 'axis')
            grid(x + 20, 60, 1, n, 17, 15, function() return 'B' end)
            grid(x, 78, n, 1, 17, 16, function() return 'A' end)
            grid(x + 20, 78, n, n, 17, 16, function() return 'C' end)
        end
    end}, {
    words = 'a load of B: column', title = 'The lanes of a warp, and the words that one load of A or of B asks for', width = 640, height = 96, phone = 100,
    draw = function(_, phone)
        local left, wide, top = phone and 42 or 130, phone and 18 or 31, phone and 38 or 34
        label(0, 14, phone and 'a load of B: column of a row of Bs' or 'B: column of Bs', 'axis')
        for column = 0, 15, phone and 2 or 1 do label(left + (column + .5) * wide, phone and 32 or 14, 8 * column, 'axis', 'middle') end
        label(0, top + 15, phone and 'row 0' or 'A: row 0 of As', 'axis')
        label(0, top + 39, phone and 'row 8' or 'A: row 8 of As', 'axis')
        grid(left, top, 2, 16, wide, 24, function(row, column) return 'lane', 16 * row + column end)
        if phone then label(0, 98, 'a load of A: row of As', 'axis') end
    end}}

stills['04'] = {{
    words = 'lanes 2 x 16 (step 03)', title = 'Three ways to lay out 32 lanes, and what they read for one k', width = 640, height = 212, panels = {{0, 0, 340, 132}, {346, 0, 290, 132}, {0, 130, 646, 80}}, phone = 324,
    draw = function(_, phone)
        local function lanes(x, y, rows, columns, title, tile, reads)
            if phone then x, y = 0, columns == 16 and 14 or columns == 8 and 124 or 262 end
            label(x, y, title, 'strong')
            label(x, y + 16, tile)
            local small = phone and columns == 32
            grid(x, y + 24, rows, columns, small and 10 or 20, 18, function(row, column)
                return 'lane', not small and row * columns + column or nil
            end)
            label(x, y + 40 + 18 * rows, reads)
        end
        lanes(0, 14, 2, 16, 'lanes 2 × 16 (step 03)', 'warp tile 16 × 128', 'reads 16 + 128 = 144 different values')
        lanes(350, 14, 4, 8, 'lanes 4 × 8', 'warp tile 32 × 64', 'reads 32 + 64 = 96')
        lanes(0, 146, 1, 32, 'lanes 1 × 32', 'warp tile 8 × 256', 'reads ?')
    end}, {
    words = 'a load of B in step 03:', marker = '<!-- motion: 04_warp_tiling/lanes_4x8 -->'}}

stills['05'] = {{
    words = 'step 04: As[row][k]', title = 'Eight floats of A take eight loads, or two where they are neighbours', width = 640, height = 216, panels = {{0, 0, 310, 212}, {330, 0, 310, 212}},
    draw = function()
        label(0, 14, 'step 04: As[row][k]', 'strong')
        label(40, 34, 'k', 'axis')
        label(0, 52, 'row', 'axis')
        grid(40, 40, 8, 8, 20, 18, function(_, k) return k == 0 and 'A' or 'idle' end)
        label(40, 204, '8 loads, 9 floats apart')
        label(330, 14, 'step 05: As[k][row]', 'strong')
        label(360, 34, 'row', 'axis')
        label(330, 52, 'k', 'axis')
        grid(360, 40, 8, 8, 20, 18, function() return 'idle' end)
        cell(360, 40, 78, 16, 'A')
        cell(440, 40, 78, 16, 'A')
        label(360, 204, 'two LDS.128')
    end}}

stills['06'] = {{words = 'step 05, rows of As 128 floats long', marker = '<!-- motion: 06_conflict_free_transpose/mapped -->'}}

stills['07'] = {{
    words = 'off: one piece per lane', title = 'Rows and columns of the warp tile that lanes 0 and 1 compute; a cell is 4 × 4 elements', width = 640, height = 178, panels = {{0, 0, 310, 178}, {330, 0, 310, 178}},
    draw = function()
        for patches = 0, 1 do
            local x = 330 * patches
            label(x, 14, patches == 0 and 'off: one piece per lane' or 'patches: four per lane', 'strong')
            for column = 0, 48, 16 do label(x + 23 + 4.5 * column, 32, column, 'axis') end
            for row = 0, 16, 16 do label(x, 51 + 4.25 * row, row, 'axis') end
            grid(x + 22, 38, 8, 16, 18, 17, function(row, column)
                local lane = patches == 0 and (row < 2 and column // 2 or 9) or row % 4 == 0 and column % 8 or 9
                return lane < 2 and 'w' .. lane + 1 or 'idle', lane < 2 and lane or nil
            end)
        end
    end}, {
    words = 'row by row: off, patches', title = 'The order of a warp’s lanes; each colour is eight successive lanes', width = 640, height = 120, panels = {{0, 0, 310, 120}, {330, 0, 310, 120}},
    draw = function()
        local function map(x, title, lane_of)
            label(x, 14, title, 'strong')
            grid(x, 24, 4, 8, 34, 24, function(row, column)
                local lane = lane_of(row, column)
                return 'w' .. lane // 8 + 1, lane
            end)
        end
        map(0, 'row by row: off, patches', function(row, column) return 8 * row + column end)
        map(330, "in z's: z_lanes; with patches: z_order", function(row, column) return row // 2 * 16 + 2 * column + row % 2 end)
    end}, {
    words = 'all by i ^ 1:', title = 'Two ways to pair lanes (8 of a half’s 16): the two of one colour read the same 16 bytes', width = 640, height = 58, phone = 58,
    draw = function(_, phone)
        for by = 1, 2 do
            label(0, 30 * by - 10, 'i ^ ' .. by, 'strong')
            for lane = 0, 7 do cell(50 + (phone and 34 or 40) * lane, 30 * by - 26, phone and 32 or 38, 24, 'w' .. (by == 1 and lane // 2 or lane // 4 * 2 + lane % 2) + 1, lane) end
        end
    end}}

stills['09'] = {{
    words = 'the reuse cache: what was marked .reuse', title = 'A bank gives one register per cycle; the reuse cache keeps one per operand and bank', width = 640, height = 238, panels = {{0, 0, 366, 224}, {370, 0, 280, 224}}, phone = 282,
    draw = function(_, phone)
        local wide, step = phone and 35 or 38, phone and 106 or 118
        for bank = 0, 1 do
            local x = bank * (phone and 166 or 180)
            label(x, 14, bank == 0 and 'even bank' or 'odd bank', 'strong')
            grid(x, 22, 2, 4, wide, 26, function(row, column)
                local register = 2 * (4 * row + column) + bank
                return 'w' .. bank + 1, 'R' .. register
            end)
            line(x + 2 * wide - 1, 76, x + 2 * wide - 1, 92)
        end
        line(60, 92, 60 + 2 * step, 92)
        for slot, name in ipairs {'A', 'B', 'C'} do
            local x = step * (slot - 1)
            line(x + 60, 92, x + 60, 112)
            label(x + 66, 108, (phone and '' or 'operand ') .. name, 'axis')
            cell(x + 16, 116, 43, 34, 'w1', 'even')
            cell(x + 61, 116, 43, 34, 'w2', 'odd')
            line(x + 60, 152, x + 60, 186)
        end
        label(phone and 0 or 376, phone and 242 or 52, 'one register of each bank per cycle')
        label(phone and 0 or 376, phone and 260 or 130, 'the reuse cache: what was marked .reuse;')
        label(phone and 0 or 376, phone and 277 or 148, 'it costs no read')
        cell(16, 186, 88 + 2 * step, 34, 'idle', 'FFMA Rd, A, B, C')
    end}}

stills['10'] = {{
    words = 'AAAAAAAAAAAABBBB|', title = 'Four tiles of 12 steps on three SMs: two rounds, or three equal pieces', width = 640, height = 172,
    panels = {{0, 0, 310, 172}, {330, 0, 310, 172}},
    draw = function()
        local kinds = {A = 'w1', B = 'w2', C = 'w3', D = 'w4'}
        -- Adds a cell for the steps `from` to `to` along K of a tile; 24 steps are 250 units wide.
        local function part(x, row, from, to, tile)
            cell(x + 54 + from / 24 * 250, 26 + 30 * row, (to - from) / 24 * 250 - 2, 24, kinds[tile] or 'wait', tile)
        end
        label(0, 14, 'whole rounds: 24 steps', 'strong')
        label(330, 14, 'stream-K: 16 steps', 'strong')
        for sm, tiles in ipairs {{'A', 'D'}, {'B', 'idle'}, {'C', 'idle'}} do
            for x = 0, 330, 330 do label(x, 13 + 30 * sm, 'SM ' .. sm - 1) end
            part(0, sm - 1, 0, 12, tiles[1])
            part(0, sm - 1, 12, 24, tiles[2])
        end
        for sm, pieces in ipairs {{{'B', 4}, {'A', 12}}, {{'C', 8}, {'B', 8}}, {{'D', 12}, {'C', 4}}} do
            local at = 0
            for _, piece in ipairs(pieces) do
                part(330, sm - 1, at, at + piece[2], piece[1])
                at = at + piece[2]
            end
        end
        label(384, 132, 'SM 0 does the start of B first,')
        label(384, 150, 'SM 1 the rest of B last')
    end}}

stills['11'] = {{
    words = 'pairs from the file     cycles', title = 'Every second issue slot is free, but no cycle of the register banks is', width = 640, height = 190, phone = 272,
    draw = function(_, phone)
        local left, wide, low = phone and 0 or 110, phone and 40 or 66, phone and 18 or 0
        for cycle = 0, 7 do
            local x = left + wide * cycle
            label(x + wide / 2 - 2, 14, cycle == 0 and 'cycle 0' or cycle, 'axis', 'middle')
            cell(x, 22 + low, wide - 4, 26, cycle % 2 == 0 and 'w1' or 'wait', cycle % 2 == 0 and 'D' .. cycle // 2 or nil)
            cell(x, 56 + 2 * low, wide - 4, 26, cycle % 2 == 0 and 'B' or 'C', (cycle % 2 == 0 and 'b' or 'sum') .. cycle // 2)
        end
        label(0, phone and 34 or 40, 'issue slot')
        label(0, phone and 86 or 74, 'register banks')
        for row, way in ipairs {{'nothing kept:', 'pairs a, b and sum from the banks', '3 cycles: 67 % of the pipe'}, {'a kept:', 'pairs b and sum', '2 cycles: 100 %'}} do
            local y = phone and 100 + 42 * row or 96 + 26 * row
            label(0, y, way[1], 'strong')
            label(phone and 0 or 130, phone and y + 17 or y, way[2])
            label(phone and 104 or 370, y, way[3], row == 2 and 'strong good' or 'strong')
        end
        local said = {'D: a DFMA whose a is kept. In each cycle:', 'the pair of registers that the two banks give.'}
        if phone then
            label(0, 230, said[1])
            label(0, 247, said[2])
        else
            label(0, 178, table.concat(said, ' '))
        end
    end}}

-- Returns the whole numbers in a line of text.
local function numbers(said)
    local found = {}
    for number in said:gmatch '%f[%w]%d+%f[%W]' do found[#found + 1] = tonumber(number) end
    return found
end

stills['12'] = {{
    words = 'which register holds the sum', title = 'The registers of 32 of the 64 sums; the colour is the bank of Maxwell', width = 640, height = 180, phone = 212,
    draw = function(text, phone)
        local left, wide = phone and 62 or 86, phone and 33.5 or 44
        for i, class in ipairs {'w1', 'w2', 'w3', 'w4'} do
            local x, y = phone and 80 * i - 80 or 460, phone and 192 or 62 + 24 * i
            cell(x, y, 14, 14, class)
            label(x + 22, y + 12, 'bank ' .. i - 1 .. (phone and '' or ' of four'))
        end
        local row = 0
        for said in text:gmatch '[^\n]+' do
            local name = said:match '^ (R%d+) '
            if said:match 'y:' then
                label(0, 18, 'x: rows', 'axis')
                label(0, 36, 'y: columns', 'axis')
                local at = 0
                for register in said:gmatch 'R(%d+)' do
                    cell(left + wide * at, 20, wide - 3, 22, 'w' .. tonumber(register) % 4 + 1, 'R' .. register)
                    at = at + 1
                end
            elseif name then
                local y = 56 + 28 * row
                cell(phone and 8 or 24, y, 44, 24, 'w' .. tonumber(name:sub(2)) % 4 + 1, name)
                local column = -1
                for register in said:gmatch 'R(%d+)' do
                    if column >= 0 then cell(left + wide * column, y, wide - 3, 24, 'w' .. tonumber(register) % 4 + 1, 'R' .. register) end
                    column = column + 1
                end
                row = row + 1
            end
        end
    end}, {
    words = 'row by row                    back and forth                the swirl', title = 'When each of these sums is computed, 0 to 63; each colour is sixteen in a row', width = 640, height = 110, panels = {{0, 0, 199, 110}, {216, 0, 199, 110}, {432, 0, 199, 110}},
    draw = function(text)
        local row = 0
        for panel, name in ipairs {'row by row', 'back and forth', 'the swirl'} do label(216 * (panel - 1), 14, name, 'strong') end
        for said in text:gmatch '[^\n]+' do
            local all = numbers(said)
            if #all == 24 then
                for i, number in ipairs(all) do cell(216 * ((i - 1) // 8) + 25 * ((i - 1) % 8), 24 + 20 * row, 23, 18, 'w' .. number // 16 + 1, number) end
                row = row + 1
            end
        end
    end}}

stills['13'] = {{
    words = 'x  = 3.14159274101', title = 'Pi in FP32, as two numbers that a tensor core takes whole', width = 640, height = 182, phone = 210,
    draw = function(text, phone)
        local bits = text:match 'x  = [%d.]+ = ([01.]+) x 2':gsub('%.', '')
        local left, wide, high = phone and 42 or 52, phone and 12 or 17.4, phone and 44 or 36
        -- Adds a row with bits `first` to `last` of x, or of `written`, each in its bit's column.
        local function row(number, name, first, last, said, written)
            local y = 4 + high * number
            label(0, y + 15, name, 'strong')
            for i = first, last do
                cell(left + wide * (i - 1), y, wide - 2, 22, i <= 11 and 'w1' or 'w2', (written or bits):sub(i, i))
            end
            label(phone and left + wide * (first - 1) or 478, phone and y + 36 or y + 15, said)
        end
        row(0, 'x', 1, 24, '24 bits')
        row(1, 'hi', 1, 11, 'the first 11')
        row(2, 'x - hi', 13, 24, 'the rest: 12 bits')
        row(3, 'lo', 13, 23, 'rounded to 11', ('.'):rep(12) .. '11111101110')
        label(0, phone and 200 or 168, 'hi + lo is wrong by 2.4e-7')
    end}, {
    words = 'leading bit and 25', marker = '<!-- motion: 13_tensor_cores/promoted -->'}}

stills['14'] = {{
    words = 'TRAVEL    B1 from rank 1', title = 'Rows of B come in while each rank computes with those that it has', width = 640, height = 168, phone = 190,
    draw = function(_, phone)
        local left, wide = phone and 0 or 130, phone and 110 or 170
        local kinds = {[0] = 'w1', 'w2', 'w4'}
        for rank = 0, 1 do
            local y = phone and 24 + 96 * rank or 12 + 84 * rank
            if phone then
                label(0, y - 9, ('rank %d computes; dashed: receives'):format(rank), 'strong')
            else
                label(0, y + 30, 'rank ' .. rank, 'strong')
                label(62, y + 16, 'computes')
                label(62, y + 46, 'receives')
            end
            for round = 0, 2 do
                local x, part = left + wide * round, (rank + round) % 3
                cell(x, y, wide - 6, 26, kinds[part], ('A[:, K%d] B%d'):format(part, part))
                if round < 2 then
                    local next_part = (part + 1) % 3
                    cell(x, y + 30, wide - (phone and 16 or 30), 24, 'wait', ('B%d from rank %d'):format(next_part, rank == 1 and round == 1 and 0 or next_part))
                    line(x + wide - (phone and 13 or 26), y + 42, x + wide - 2, y + 30)
                end
            end
        end
    end}}

stills['15'] = {{
    words = "seven products, Winograd's form", title = 'Seven products of sums instead of eight products', width = 640, height = 420,
    panels = {{0, 0, 310, 200}, {330, 0, 310, 200}, {0, 206, 646, 208}}, phone = 632,
    draw = function(text, phone)
        local left, wide, right, low = phone and 26 or 44, phone and 25.2 or 50, phone and 0 or 330, phone and 212 or 0
        label(0, 14, 'the plain way: eight products', 'strong')
        for row, said in ipairs {'C11 = A11 B11 + A12 B21', 'C12 = A11 B12 + A12 B22', 'C21 = A21 B11 + A22 B21', 'C22 = A21 B12 + A22 B22'} do label(0, 14 + 20 * row, said, 'num') end
        label(0, 124, 'sums of quarters', 'strong')
        for row, said in ipairs {{'S1 = A21 + A22', 'T1 = B12 − B11'}, {'S2 = S1 − A11', 'T2 = B22 − T1'}, {'S3 = A11 − A21', 'T3 = B22 − B12'}, {'S4 = A12 − S2', 'T4 = T2 − B21'}} do
            label(0, 124 + 18 * row, said[1], 'num')
            label(140, 124 + 18 * row, said[2], 'num')
        end
        label(right, low + 14, "Winograd's form: seven products", 'strong')
        for row, said in ipairs {{'P1 = A11 B11', 'P5 = S1 T1'}, {'P2 = A12 B21', 'P6 = S2 T2'}, {'P3 = S4 B22', 'P7 = S3 T3'}, {'P4 = A22 T4', ''}} do
            label(right, low + 14 + 20 * row, said[1], 'num')
            label(right + 140, low + 14 + 20 * row, said[2], 'num')
        end
        label(right, low + 124, 'and their sums', 'strong')
        for row, said in ipairs {{'U = P1 + P6', 'V = U + P7'}, {'C11 = P1 + P2', 'C12 = U + P5 + P3'}, {'C21 = V − P4', 'C22 = V + P5'}} do
            label(right, low + 124 + 18 * row, said[1], 'num')
            label(right + 140, low + 124 + 18 * row, said[2], 'num')
        end
        -- In the text's table, a sign stands below the second character of its quarter's name.
        local heads, row = {}, 0
        for said in text:gmatch '[^\n]+' do
            if said:match '^ +A11  A12  A21' then
                for at in said:gmatch '()%u%d%d' do
                    heads[#heads + 1] = at + 1
                    label(left + wide * (#heads - .56), low + 222, said:sub(at, at + 2), 'axis', 'middle')
                end
            elseif #heads > 0 and said:match '^ P%d ' then
                row = row + 1
                local y = low + 206 + 26 * row
                label(0, y + 16, said:sub(2, 3), 'strong')
                for column, at in ipairs(heads) do
                    local sign = said:sub(at, at)
                    cell(left + wide * (column - 1), y, wide - (phone and 3 or 6), 22, sign == '+' and 'w1' or sign == '-' and 'w2' or 'idle', sign == '+' and '+' or sign == '-' and '−' or nil)
                end
            end
        end
    end}}

-- Returns one rectangle of a drawing as SVG, which is shown at 0.92 to 1.35 times its size.
local function picture(still, panel)
    local x, y, width, height = table.unpack(panel)
    local own = {}
    for _, part in ipairs(parts) do
        local left, top = part:match ' x="([%d.]+)" y="([%d.]+)"'
        if not left then left, top = part:match 'd="M([%d.]+) ([%d.]+)' end
        left, top = tonumber(left), tonumber(top)
        if left > x - 5 and left < x + width and top > y - 5 and top < y + height + 5 then own[#own + 1] = part end
    end
    return ('<svg viewBox="%d %d %d %d" class="draw" role="img" aria-label="%s" style="min-width: %dpx; max-width: %dpx; flex-basis: %dpx">%s</svg>'):format(
        x, y, width, height, still.title, math.floor(0.92 * width), math.floor(1.35 * width), math.floor(0.92 * width), table.concat(own))
end

-- Returns the figure or the marker that replaces a text drawing of a lesson, or nil.
return function(step, text)
    for _, still in ipairs(stills[step] or {}) do
        if text:find(still.words, 1, true) then
            if still.marker then return still.marker end
            local shown = {}
            for _, phone in ipairs(still.phone and {false, true} or {false}) do
                parts = {}
                still.draw(text, phone)
                local pictures = {}
                for i, panel in ipairs(phone and {{0, 0, 330, still.phone}} or still.panels or {{0, 0, still.width, still.height}}) do
                    pictures[i] = picture(still, panel)
                end
                shown[#shown + 1] = ('<div class="scrolls panels%s" tabindex="0" role="region" aria-label="drawing: %s">%s</div>'):format(
                    still.phone and (phone and ' narrow' or ' wide') or '',
                    still.title:gsub('<[^>]*>', ''):gsub('"', '&quot;'), table.concat(pictures))
            end
            return ('<figure class="figure still"><figcaption>%s</figcaption>%s%s</figure>'):format(
                still.title, table.concat(shown), still.note and '<p class="soft">' .. still.note .. '</p>' or '')
        end
    end
end
