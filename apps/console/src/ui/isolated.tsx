const openers = /[\u202a\u202b\u202d\u202e]/;
const isolators = /[\u2066-\u2068]/;
const marks = /[\u202a-\u202e\u2066-\u2069]/;
const endOfEmbedding = "\u202c";
const endOfIsolate = "\u2069";

/**
 * Returns a text in which every direction mark that opens is closed, and none closes what stands around the text. So no value
 * of the database turns the rest of a sentence or of a cell around.
 */
export function closeMarks(text: string): string {
  if (!marks.test(text)) return text;
  const open: string[] = [];
  let closed = "";
  for (const letter of text) {
    if (openers.test(letter)) open.push(endOfEmbedding);
    else if (isolators.test(letter)) open.push(endOfIsolate);
    else if (letter === endOfEmbedding || letter === endOfIsolate) {
      // An end of another kind, or of nothing, would close what is around the text.
      if (open.at(-1) !== letter) continue;
      open.pop();
    }
    closed += letter;
  }
  return closed + open.reverse().join("");
}

/** A text of the database between others: its direction and its marks do not leave it. */
export function Isolated(props: { readonly text: string; readonly className?: string }) {
  return <bdi className={props.className}>{closeMarks(props.text)}</bdi>;
}
