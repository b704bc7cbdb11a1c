// Declares what other scripts of a page define: Engine (web/engine/runner.js), KERNELS (web/engine/kernels.sh), the site's data (web/site/build.sh).
interface Run { status: number; out: string; err: string; files: Record<string, Uint8Array>; }
declare const Engine: {
    run(words: string[], files: Record<string, any>, options?: { wanted?: string[]; seconds?: number; owner?: any }): Promise<Run>;
    unpack(base64: string): Promise<Uint8Array>;
    stop(owner: any): void;
    seconds: number;
};
declare const KERNELS: Record<string, string>;
declare const DATA: { own: boolean; origin: string; peak: number; csv: string }[];
declare const TERMS: Record<string, string>;
declare const LESSONS: Record<string, string>;
declare const BOOK: string;
declare module 'codemirror'; // build/codemirror, bundled by web/site/build.sh
declare const OPCODES: Record<string, string>;
interface Window { Editor?: any; Course?: any; unpacked?: Promise<void>; [name: string]: any; }
// Streams that pack and unpack. The compiler's own types do not have them yet.
declare class CompressionStream { constructor(format: string); readable: ReadableStream; writable: WritableStream; }
declare class DecompressionStream { constructor(format: string); readable: ReadableStream; writable: WritableStream; }
