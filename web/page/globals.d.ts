// Declares what other scripts of a page define: Engine (web/engine/runner.js), KERNELS (web/engine/kernels.sh), the site's data (web/site/build.sh).
type Files = Record<string, string | Uint8Array | { packed: string }>;
interface Run { status: number; out: string; err: string; files: Record<string, Uint8Array>; }
declare const Engine: {
    run(words: string[], files: Files, options?: { wanted?: string[]; seconds?: number; owner?: object }): Promise<Run>;
    unpack(base64: string): Promise<Uint8Array>;
    stop(owner: object): void;
    seconds: number;
};
declare const KERNELS: Record<string, string>;
declare const DATA: { own: boolean; origin: string; peak: number; csv: string }[];
declare const MEANINGS: Record<string, string>;
declare const TERMS: Record<string, string>;
declare const LESSONS: Record<string, string>;
declare const BOOK: string;
// What programs print with --json (sasskit/docs/json.md). A page adds `edit` to a Report: the reader's edit that caused it.
interface Place { address: number; instruction: string; source?: { file: string; line: number; text: string | null } | null; sass?: { file: string; line: number } | null; action?: string | null; warp?: number | null; lane?: number | null; line?: number; }
interface Edit { line: number; before: string[]; after: string[]; }
interface Amount { value: number | string; unit: string; }
interface Report {
    type: string; kind: string; severity: string; message: string; id?: number | string; caused_by?: number | string | null; repeats?: number; merged?: number;
    place?: Place | null; other?: Place | null; cause?: { rule?: string; kind?: string; text: string; place: Place | null } | null; remedy?: string | null;
    expected?: Amount | null; actual?: Amount | null; line?: number | null; column?: number | null; text?: string | null; edit?: Edit | null; at?: Place;
}
interface LineRow { type: 'line'; place: Place; warps: number; threads: number; divergent: number | null; threads_per_instruction: number; requests: number | null; sectors: number | null; wavefronts: number | null; conflicts: number | null; bank_cycles_lost: number | null; }
interface LoopRow { type: 'loop'; first: number; last: number; instructions: number; ffma: number; dfma: number; bank_conflicts: number; }
interface WrongRow { type: 'wrong'; m: number; n: number; k: number; element: number[]; expected: number | string; actual: number | string; tolerance?: number | string; pattern: string | null; message: string; }
interface PredictionRow { type: 'prediction'; milliseconds: number; cycles: number; }
interface Rows { report: Report; error: Report; line: LineRow; loop: LoopRow; wrong: WrongRow; prediction: PredictionRow; }
type Row = Rows[keyof Rows];
// What the moving pictures ask the simulator for: its trace, and its stepper's rows.
interface Span { name: string; cat: string; ph: string; pid: number; tid: number; ts: number; dur: number; args: { instruction: string; address: string }; kind: number; }
// What editor.js uses of CodeMirror (build/codemirror, bundled by web/site/build.sh).
declare module 'codemirror' {
    interface Line { from: number; to: number; number: number; text: string; }
    interface Doc { length: number; lines: number; lineAt(at: number): Line; line(number: number): Line; iterLines(): Iterable<string>; }
    interface Field<T> { value: T; }
    interface State { doc: Doc; selection: { main: { head: number } }; field<T>(field: Field<T>, required?: boolean): T; }
    interface Effect { value: any; is(kind: EffectKind): boolean; }
    interface EffectKind { of(value: unknown): Effect; }
    interface Update { docChanged: boolean; viewportChanged: boolean; selectionSet: boolean; state: State; startState: State; view: EditorView; }
    interface Change { docChanged: boolean; newDoc: Doc; changes: object; effects: Effect[]; }
    interface Mark { spec: { words?: string; kind?: string }; range(from: number, to?: number): object; }
    interface Marks { map(changes: object): Marks; between(from: number, to: number, act: (from: number, to: number, mark: Mark) => void): void; }
    type Extension = object;
    class EditorView {
        constructor(config: { state: State });
        state: State; dom: HTMLElement; scrollDOM: HTMLElement; visibleRanges: { from: number; to: number }[];
        dispatch(change: object): void; focus(): void; destroy(): void;
        lineBlockAt(at: number): { top: number };
        requestMeasure(measure: { read(): number; write(read: number): void }): void;
        static decorations: { from(field: Field<Marks>): Extension };
        static contentAttributes: { of(attributes: Record<string, string>): Extension };
        static updateListener: { of(act: (update: Update) => void): Extension };
        static scrollIntoView(range: object, options: object): Effect;
        static lineWrapping: Extension;
        static findFromDOM(dom: HTMLElement): EditorView | null;
    }
    class GutterMarker { eq(other: GutterMarker): boolean; toDOM(): Node; }
    const Decoration: { none: Marks; set(marks: object[]): Marks; mark(spec: object): Mark; line(spec: object): Mark };
    const EditorSelection: { range(from: number, to: number): object; single(from: number, to: number): object };
    const EditorState: { create(config: object): State; languageData: { of(data: () => object[]): Extension } };
    const StateEffect: { define(): EffectKind };
    const StateField: { define<T>(config: { create(state: State): T; update(value: T, change: Change): T; provide?(field: Field<T>): Extension }): Field<T> };
    const ViewPlugin: { fromClass(plugin: object, spec: { decorations(plugin: { decorations: Marks }): Marks }): Extension };
    const basicSetup: Extension, foldEffect: EffectKind, unfoldEffect: EffectKind;
    function codeFolding(config: { preparePlaceholder(state: State, range: { from: number; to: number }): string; placeholderDOM(view: EditorView, onclick: () => void, words: string): Node }): Extension;
    function foldedRanges(state: State): Marks;
    function gutter(config: { class: string; lineMarkerChange(update: Update): boolean; lineMarker(view: EditorView, line: { from: number }): GutterMarker | null }): Extension;
    function hoverTooltip(source: (view: EditorView, at: number) => object | null): Extension;
    function lineNumbers(config: { formatNumber(number: number, state: State): string }): Extension;
}
declare const OPCODES: Record<string, string>;
interface Window { Editor?: any; Course?: any; unpacked?: Promise<void>; [name: string]: any; }
// Streams that pack and unpack. The compiler's own types do not have them yet.
declare class CompressionStream { constructor(format: string); readable: ReadableStream; writable: WritableStream; }
declare class DecompressionStream { constructor(format: string); readable: ReadableStream; writable: WritableStream; }
