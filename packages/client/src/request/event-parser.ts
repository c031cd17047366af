/** A server-sent event. */
export type ParsedEvent = {
  /** `message` if the service did not name it. */
  readonly event: string;
  /** The id of this event or of the last one before it that had one; empty without any. */
  readonly id: string;
  readonly data: string;
};

/** Parses server-sent events, by the rules of the HTML standard, from the parts of a text in their order. */
export class EventParser {
  #rest = "";
  #isFirst = true;
  #event = "";
  #data: string[] = [];
  #id: string;
  #retryMs: number | undefined;

  /** @param id the id of the last event of the stream before */
  constructor(id: string) {
    this.#id = id;
  }

  /** The last id of the stream; empty without any. */
  get id(): string {
    return this.#id;
  }

  /** The pause before another connection that the service asked for, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** Returns the events that a further part completes. */
  add(part: string): ParsedEvent[] {
    let text = this.#rest + part;
    if (this.#isFirst && text !== "") {
      this.#isFirst = false;
      if (text.startsWith("\ufeff")) text = text.slice(1);
    }
    const events: ParsedEvent[] = [];
    let from = 0;
    for (const end of text.matchAll(/\r\n|\n|\r/g)) {
      // The rest of this line break may be in the next part.
      if (end[0] === "\r" && end.index === text.length - 1) break;
      const event = this.#line(text.slice(from, end.index));
      if (event !== undefined) events.push(event);
      from = end.index + end[0].length;
    }
    this.#rest = text.slice(from);
    return events;
  }

  #line(line: string): ParsedEvent | undefined {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value);
    return undefined;
  }

  #complete(): ParsedEvent | undefined {
    const data = this.#data;
    const event = this.#event === "" ? "message" : this.#event;
    this.#data = [];
    this.#event = "";
    return data.length === 0 ? undefined : { event, id: this.#id, data: data.join("\n") };
  }
}
