import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, type Node, type Pair, YAMLMap, type YAMLSeq } from "yaml";
import { Edits } from "./yaml-edits.ts";
import {
  keyOfPair,
  nodeValue,
  parse,
  readValue,
  type VariableValue,
  variablesIn,
} from "./yaml-values.ts";

/** A file whose values were set, while its other characters stayed. */
export interface MergedYaml {
  readonly text: string;
  /** Variables in whose place the value of the service stands now. */
  readonly replaced: readonly string[];
  /** Whether author and service have changed one value to different ones since the base. */
  readonly isContested: boolean;
}

/**
 * Sets the values of a file that the service has changed. Comments, order, quotation marks and variables of all others
 * stay, character by character.
 *
 * @param own the author's file, with LF
 * @param service the file as the service writes it
 * @param base the file as the service wrote it before; undefined to take over each value that differs
 */
export function mergeYaml(
  own: string,
  service: string,
  base: string | undefined,
  variableOf: VariableValue,
): MergedYaml {
  const [mine, theirs] = [parse(own), parse(service)];
  if (mine.errors.length > 0) return { text: service, replaced: [], isContested: true };
  const merge = new Merge(own, variableOf, base !== undefined);
  const before = base === undefined ? undefined : readValue(base);
  const wanted = merge.root(mine.contents, before, theirs.contents, service);
  const { replaced, isContested } = merge;
  const text = merge.edits.apply();
  if (text !== undefined && isDeepStrictEqual(readValue(text, variableOf), wanted)) {
    return { text, replaced, isContested };
  }
  // A form that has no simple edit, such as an explicit key.
  return { text: service, replaced: [...variablesIn(mine.contents)], isContested };
}

class Merge {
  readonly edits: Edits;
  readonly replaced: string[] = [];
  isContested = false;
  readonly #variableOf: VariableValue;
  readonly #hasBase: boolean;

  constructor(text: string, variableOf: VariableValue, hasBase: boolean) {
    this.edits = new Edits(text);
    this.#variableOf = variableOf;
    this.#hasBase = hasBase;
  }

  /** Returns the value that the file gets. */
  root(mine: unknown, before: unknown, theirs: unknown, service: string): unknown {
    if (isMap(mine) && isMap(theirs) && mine.items.length > 0)
      return this.#map(mine, before, theirs);
    if (isMap(mine) && theirs === null) return this.#map(mine, before, new YAMLMap());
    // A file of comments alone.
    if (nodeValue(mine) === null) {
      const isUnchanged = this.#hasBase && isDeepStrictEqual(before, nodeValue(theirs) ?? {});
      if (isUnchanged) return {};
      this.edits.append(service);
      return nodeValue(theirs) ?? {};
    }
    return this.#value(mine as Node, before, theirs as Node, false);
  }

  #value(mine: Node | null, before: unknown, theirs: Node | null, isFlow: boolean): unknown {
    const [own, service] = [nodeValue(mine, this.#variableOf), nodeValue(theirs)];
    if (isDeepStrictEqual(own, service)) return own;
    if (this.#hasBase && isDeepStrictEqual(before, service)) return own;
    if (isMap(mine) && isMap(theirs) && mine.items.length > 0 && theirs.items.length > 0) {
      return this.#map(mine, before, theirs, isFlow || mine.flow === true);
    }
    if (isSeq(mine) && isSeq(theirs) && mine.items.length > 0 && theirs.items.length > 0) {
      const isInFlow = isFlow || mine.flow === true;
      // A list in brackets stands in one line: it is written anew if it grows or shrinks.
      if (!isInFlow || mine.items.length === theirs.items.length) {
        return this.#list(mine, before, theirs, isInFlow);
      }
    }
    this.#drop(mine, before);
    this.edits.replace(mine, theirs, isFlow);
    return service;
  }

  #map(
    mine: YAMLMap<unknown, unknown>,
    before: unknown,
    theirs: YAMLMap<unknown, unknown>,
    isFlow = mine.flow === true,
  ): unknown {
    const wanted = new Map<string, unknown>();
    const service = new Map(theirs.items.map((pair) => [keyOfPair(pair), pair]));
    const own = new Map(mine.items.map((pair) => [keyOfPair(pair), pair]));
    for (const [key, pair] of own) {
      const other = service.get(key);
      const value = pair.value as Node | null;
      const was = memberOf(before, key);
      if (other !== undefined) {
        wanted.set(key, this.#value(value, was, other.value as Node | null, isFlow));
      } else if (this.#hasBase && was === undefined) {
        wanted.set(key, nodeValue(value, this.#variableOf));
      } else {
        this.#drop(value, was);
        this.edits.removePair(mine, pair, isFlow);
      }
    }
    let previous: Pair | undefined;
    for (const [key, pair] of service) {
      const found = own.get(key);
      const value = nodeValue(pair.value);
      const was = memberOf(before, key);
      if (found !== undefined) previous = found;
      else if (!this.#hasBase || !isDeepStrictEqual(was, value)) {
        if (was !== undefined) this.isContested = true;
        wanted.set(key, value);
        this.edits.insertPair(mine, previous, pair, isFlow);
      }
    }
    return Object.fromEntries(wanted);
  }

  #list(mine: YAMLSeq, before: unknown, theirs: YAMLSeq, isFlow: boolean): unknown {
    const items = mine.items as (Node | null)[];
    const others = theirs.items as (Node | null)[];
    const was = Array.isArray(before) ? before : [];
    if (items.length === others.length && (!this.#hasBase || was.length === items.length)) {
      return items.map((item, index) =>
        this.#value(item, was[index], others[index] ?? null, isFlow),
      );
    }
    const own = items.map((item) => nodeValue(item, this.#variableOf));
    const service = others.map((item) => nodeValue(item));
    if (this.#hasBase && !isDeepStrictEqual(before, own)) this.isContested = true;
    const isSame = (index: number, other: number) => isDeepStrictEqual(own[index], service[other]);
    const shorter = Math.min(own.length, service.length);
    let start = 0;
    while (start < shorter && isSame(start, start)) start += 1;
    let end = 0;
    while (end < shorter - start && isSame(own.length - 1 - end, service.length - 1 - end))
      end += 1;
    const [lost, added] = [
      items.slice(start, items.length - end),
      others.slice(start, others.length - end),
    ];
    for (const item of lost) this.#note(item);
    this.edits.replaceItems(mine, start, lost, added);
    return service;
  }

  /** The value of the author is lost. */
  #drop(mine: Node | null, before: unknown): void {
    const own = nodeValue(mine, this.#variableOf);
    if (this.#hasBase && !isDeepStrictEqual(before, own)) this.isContested = true;
    this.#note(mine);
  }

  #note(mine: Node | null): void {
    this.replaced.push(...variablesIn(mine));
  }
}

function memberOf(value: unknown, key: string): unknown {
  const isMapping = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  return isMapping ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
