/**
 * Yields the messages of a response as lines of JSON text: its body, or the data of each event of an event stream. No
 * number is parsed.
 */
export async function* responseTexts(response: Response): AsyncGenerator<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    const text = await response.text();
    if (text.trim() !== "") yield oneLine(text);
    return;
  }
  let data: string[] = [];
  for await (const line of eventLines(response)) {
    if (line.startsWith("data:")) data.push(line.slice(5));
    if (line !== "" || data.length === 0) continue;
    const text = oneLine(data.join("\n"));
    data = [];
    // An event without data only sets the id of the stream.
    if (text !== "") yield text;
  }
}

async function* eventLines(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield* rest.split(/\r\n?|\n/);
}

/** Returns JSON text as one line; it has line ends only between its tokens. */
export function oneLine(text: string): string {
  return text.trim().replace(/[\r\n]+/g, " ");
}
