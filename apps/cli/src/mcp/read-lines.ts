/** Longest message of the standard input in characters; the gateway bounds bodies further. */
const lineMaxCharacters = 4 * 2 ** 20;

/**
 * Yields the lines of a stream of UTF-8 without their line ends; empty lines are omitted.
 *
 * @throws RangeError for a line that is too long
 */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of input) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield bounded(line.trim());
    bounded(rest);
  }
  if (rest.trim() !== "") yield rest.trim();
}

function bounded(line: string): string {
  if (line.length <= lineMaxCharacters) return line;
  throw new RangeError(`A message is longer than ${lineMaxCharacters} characters.`);
}
