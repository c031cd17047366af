import { Document, isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Mapping = YAMLMap<unknown, unknown>;

/** Changes of a YAML text at the places of nodes; whatever is between them stays. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the changed text; undefined if a new text is inside of what another change replaces. */
  apply(): string | undefined {
    const edits = this.#edits.toSorted((a, b) => a.from - b.from || a.to - b.to);
    let [text, end] = ["", 0];
    for (const edit of edits) {
      if (edit.from < end && edit.text !== "") return undefined;
      text += this.#text.slice(end, edit.from) + edit.text;
      end = Math.max(end, edit.to);
    }
    return text + this.#text.slice(end);
  }

  append(text: string): void {
    const isOpen = this.#text !== "" && !this.#text.endsWith("\n");
    this.#add(this.#text.length, this.#text.length, `${isOpen ? "\n" : ""}${text}`);
  }

  /** Replaces a value. What stands behind it in its line stays. */
  replace(own: Node | null, value: Node | null, isFlow: boolean): void {
    const from = own?.range?.[0] ?? this.#text.length;
    const to = Math.max(from, this.#endOf(own));
    const isOwnFlow = isFlow || (isCollection(own) && own.flow === true && own.items.length > 0);
    const line = this.#text.slice(this.#lineStart(from), from);
    const text = render(value, isOwnFlow, quoteOf(own));
    const isBlock = isCollection(value) && value.items.length > 0 && !isOwnFlow;
    const behindKey = this.#text.slice(0, from).trimEnd().length;
    if (isBlock && /^[ -]*$/.test(line)) this.#add(from, to, indented(text, line.length));
    else if (isBlock) {
      const indent = indentOf(line) + 2;
      this.#add(behindKey, to, `\n${" ".repeat(indent)}${indented(text, indent)}`);
    } else {
      const indent = indentOf(this.#text.slice(this.#lineStart(behindKey), behindKey));
      const isMoved = behindKey === from || behindKey < this.#lineStart(from);
      this.#add(isMoved ? behindKey : from, to, `${isMoved ? " " : ""}${indented(text, indent)}`);
    }
  }

  /** Removes a pair with its lines, without the comments above it. */
  removePair(map: Mapping, pair: Pair, isFlow: boolean): void {
    const index = map.items.indexOf(pair);
    const from = startOf(pair.key);
    const next = map.items[index + 1];
    const end = this.#endOfPair(pair);
    const start = this.#lineStart(from);
    if (isFlow) {
      const previous = map.items[index - 1];
      if (next !== undefined) this.#add(from, startOf(next.key), "");
      else this.#add(previous === undefined ? from : this.#endOfPair(previous), end, "");
    } else if (this.#text.slice(start, from).trim() === "") {
      this.#add(start, this.#nextLine(end), "");
    } else if (next !== undefined) this.#add(from, startOf(next.key), "");
    else this.#add(from, end, "{}");
  }

  /** Inserts a pair behind another one of the same mapping, or at its start. */
  insertPair(map: Mapping, previous: Pair | undefined, pair: Pair, isFlow: boolean): void {
    const first = map.items[0];
    const start = startOf(first?.key);
    const column = start - this.#lineStart(start);
    if (isFlow) {
      const text = `${render(pair.key as Node, true)}: ${render(pair.value as Node | null, true)}`;
      const end = previous && this.#endOfPair(previous);
      if (end === undefined) this.#add(start, start, `${text}, `);
      else this.#add(end, end, `, ${text}`);
      return;
    }
    const alone = new YAMLMap<unknown, unknown>();
    alone.items.push(new Pair(pair.key, pair.value));
    const text = indented(render(alone, false), column);
    const line = this.#lineStart(start);
    const isFirst = this.#text.slice(line, start).trim() === "";
    const pad = " ".repeat(column);
    if (previous === undefined && isFirst) this.#add(line, line, `${pad}${text}\n`);
    else if (previous === undefined) this.#add(start, start, `${text}\n${pad}`);
    else this.#addLine(this.#endOfPair(previous), `${pad}${text}`);
  }

  /** Replaces neighbors in a list that has a line for each item. */
  replaceItems(
    list: YAMLSeq,
    start: number,
    lost: readonly unknown[],
    added: readonly unknown[],
  ): void {
    const items = list.items;
    const column = startOf(items[0]) - this.#lineStart(startOf(items[0]));
    const dash = this.#text.lastIndexOf("-", startOf(items[0]));
    const indent = " ".repeat(dash - this.#lineStart(dash));
    const width = column - indent.length;
    const lines = added.map((item) => {
      const text = indented(render(item as Node | null, false), column);
      return `${indent}-${" ".repeat(Math.max(1, width - 1))}${text}`;
    });
    for (const item of lost) {
      this.#add(this.#lineStart(startOf(item)), this.#nextLine(this.#endOf(item)), "");
    }
    const first = this.#lineStart(startOf(items[0]));
    if (lines.length === 0) return;
    if (start > 0) this.#addLine(this.#endOf(items[start - 1]), lines.join("\n"));
    else this.#add(first, first, `${lines.join("\n")}\n`);
  }

  #addLine(behind: number, line: string): void {
    const at = this.#nextLine(behind);
    const isOpen = this.#text[at - 1] !== "\n";
    this.#add(at, at, isOpen ? `\n${line}` : `${line}\n`);
  }

  #add(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text });
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  #nextLine(offset: number): number {
    const end = this.#text.indexOf("\n", offset);
    return end === -1 ? this.#text.length : end + 1;
  }

  #endOfPair({ key, value }: Pair): number {
    return Math.max(this.#endOf(key), this.#endOf(value));
  }

  /** Returns the end of the last character of a node, without line breaks and comments behind it. */
  #endOf(node: unknown): number {
    if (isMap(node) && node.flow !== true && node.items.length > 0) {
      const last = node.items.at(-1);
      return last === undefined ? 0 : this.#endOfPair(last);
    }
    if (isSeq(node) && node.flow !== true && node.items.length > 0) {
      return this.#endOf(node.items.at(-1));
    }
    const end = (node as Node | null)?.range?.[1] ?? 0;
    return this.#text.slice(0, end).replace(/\n+$/, "").length;
  }
}

function isCollection(node: unknown): node is Mapping | YAMLSeq {
  return isMap(node) || isSeq(node);
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function indented(text: string, indent: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(indent)}`);
}

function quoteOf(node: unknown): Scalar.Type | undefined {
  const { type } = isScalar(node) ? node : {};
  return type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? type : undefined;
}

/** Writes a node of a parsed text; a text of one line in the quotation marks of the one before. */
function render(node: Node | null, isFlow: boolean, quote?: Scalar.Type): string {
  if (isScalar(node) && typeof node.value === "number") return node.source ?? String(node.value);
  const copy = node?.clone() as Node | null;
  if (isCollection(copy)) copy.flow = isFlow || copy.items.length === 0;
  else if (isScalar(copy) && typeof copy.value === "string") {
    if (isFlow && copy.type !== "PLAIN") copy.type = "QUOTE_DOUBLE";
    else if (quote !== undefined && !copy.value.includes("\n")) copy.type = quote as "QUOTE_DOUBLE";
  }
  if (isCollection(copy)) return written(copy);
  // What a text needs depends on what it is in: quotation marks in a list in brackets, an indentation below a key.
  const around = isFlow ? new YAMLSeq<unknown>() : new YAMLMap<unknown, unknown>();
  around.flow = isFlow;
  if (around instanceof YAMLSeq) around.items.push(copy);
  else around.items.push(new Pair(new Scalar("k"), copy));
  const text = written(around);
  return isFlow ? text.slice(1, -1) : text.slice("k:".length).trimStart();
}

function written(contents: Mapping | YAMLSeq): string {
  const document = new Document(null, { version: "1.2", schema: "core" });
  document.contents = contents as never;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).replace(/\n$/, "");
}
