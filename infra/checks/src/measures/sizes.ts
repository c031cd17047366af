import type { FunctionSize, SourceFile } from "../read/source-file.ts";

/** The largest number of lines that a file may have if it is not data. */
const maxFileLines = 500;

/** A function of more lines is read in parts that have no names. */
const maxFunctionLines = 100;

/** Generated files hold data and not code; they have no limit of lines. */
export const dataFile = /\.generated\.ts$/;

export type Sizes = {
  readonly medianLines: number;
  readonly largestFiles: readonly SourceFile[];
  /** Functions of more than 100 lines, longest first. */
  readonly longFunctions: readonly (FunctionSize & { readonly path: string })[];
};

/** The median of lines, the ten largest files and the long functions. */
export function measureSizes(files: readonly SourceFile[]): Sizes {
  const byLines = [...files].sort((a, b) => b.lines - a.lines);
  return {
    medianLines: byLines[Math.floor(byLines.length / 2)]?.lines ?? 0,
    largestFiles: byLines.slice(0, 10),
    longFunctions: files
      .flatMap((file) => file.functions.map((each) => ({ ...each, path: file.path })))
      .filter(({ lines }) => lines > maxFunctionLines)
      .sort((a, b) => b.lines - a.lines),
  };
}

/** One sentence for each limit of size that the files exceed. */
export function findSizeFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => file.lines > maxFileLines && !dataFile.test(file.path))
    .map((file) => `${file.path} has ${file.lines} lines; the limit is ${maxFileLines}`);
}
