import { randomUUID } from "node:crypto";
import { type AppError, createError } from "@rowhouse/errors";
import type {
  CursorValues,
  DataRequest,
  DeepRequest,
  HistoryRequest,
  ListRequest,
} from "../parse/request.ts";
import { type CursorKeys, deriveKeys, sealCursor, unsealCursor } from "./cursor-crypto.ts";

/** Ciphertexts are padded to a multiple of this, so that their length reveals little of their content. */
const bodyStep = 48;

/**
 * Creates a cursor. It is signed together with its query, so a changed cursor or one of another query is rejected. It
 * is encrypted, because every order contains the key as a tie-breaker, which may be hidden from the caller. A position
 * always has the same cursor.
 *
 * @param position the values of the order keys, as a JSON array of texts and nulls
 * @param query the part of the request that determines the rows and their order
 */
export function writeCursor(position: string, query: string, key: string): string {
  const excess = Buffer.byteLength(position) % bodyStep;
  const body = excess === 0 ? position : position + " ".repeat(bodyStep - excess);
  return sealCursor(query, body, keysOf(key)).toString("base64url");
}

/**
 * Decrypts a cursor and verifies its signature.
 *
 * @throws AppError QUERY_INVALID for anything but a cursor of this query
 */
function readCursor(text: string, query: string, key: string, path: string): CursorValues {
  const body = unsealCursor(query, Buffer.from(text, "base64url"), keysOf(key));
  if (body === undefined) throw notOurs(path);
  return JSON.parse(body.toString()) as CursorValues;
}

/** Returns the parameters that determine the rows and their order; page size and fields may differ between pages. */
export function cursorQueryOf(request: ListRequest | HistoryRequest): string {
  if (request.kind === "HISTORY") return JSON.stringify(["HISTORY", request.target, request.id]);
  const { target, where, search, slots, order } = request;
  let frame = frames.get(order);
  if (
    frame === undefined ||
    frame.where !== where ||
    frame.target !== target ||
    frame.search !== search
  ) {
    const head = JSON.stringify([target, where, search]);
    frame = { target, where, search, head: head.slice(0, -1), tail: JSON.stringify(order) };
    frames.set(order, frame);
  }
  const values = JSON.stringify(slots.map((slot) => slot.value));
  return `${frame.head},${values},${frame.tail}]`;
}

/** The part of a query without its values, as JSON: the text before the values and the order after them. */
interface Frame extends Pick<ListRequest, "target" | "where" | "search"> {
  readonly head: string;
  readonly tail: string;
}

/** Requests of a remembered list have the same order, filter and target, so that each is formatted once. */
const frames = new WeakMap<ListRequest["order"], Frame>();

/**
 * Returns what determines the related rows of one row and their order. The numbers of literals are replaced by these,
 * so that the cursor of a row in a list continues in the response of that row alone.
 */
function deepCursorQueryOf(
  { target, slots }: Pick<ListRequest, "target" | "slots">,
  path: string,
  { where, order }: DeepRequest,
): string {
  const filter = JSON.stringify(where, (name, value: unknown) => {
    if (name === "slot") return slots[Number(value)]?.value;
    // The location in the request.
    return name === "path" && typeof value === "string" ? undefined : value;
  });
  return JSON.stringify(["DEEP", target, path, filter, order]);
}

/** Creates the cursor of a position in the related rows of one row. */
export function writeDeepCursor(
  position: string,
  request: DataRequest,
  path: string,
  key: string,
): string {
  const options = "deep" in request ? request.deep.get(path) : undefined;
  if (!("deep" in request) || options === undefined) throw new TypeError("No such list");
  return writeCursor(position, deepCursorQueryOf(request, path, options), key);
}

/**
 * Replaces the cursors of a list, a history or related rows by the positions that they mark; returns other requests
 * unchanged.
 *
 * @throws AppError QUERY_INVALID for a cursor of another query
 */
export function openCursor<Request extends DataRequest>(request: Request, key: string): Request {
  const opened = openDeep(request, key);
  if (!("cursor" in opened) || opened.cursor === null) return opened;
  const after = readCursor(opened.cursor, cursorQueryOf(opened), key, "cursor");
  return { ...opened, after, shape: `${opened.shape} ${formOf(after)}` };
}

function openDeep<Request extends DataRequest>(request: Request, key: string): Request {
  if (!("deep" in request) || request.deep.size === 0) return request;
  const deep = new Map(request.deep);
  let { shape } = request;
  for (const [path, options] of deep) {
    if (options.cursor === null) continue;
    const query = deepCursorQueryOf(request, path, options);
    const after = readCursor(options.cursor, query, key, `deep[${path}][cursor]`);
    deep.set(path, { ...options, after });
    shape += ` ${JSON.stringify(path)} ${formOf(after)}`;
  }
  return { ...request, deep, shape };
}

/** Returns the part of a position that decides the statement: its nulls, and the meaning of its order. */
function formOf(after: CursorValues): string {
  return after
    .map((value) => (value === null ? "0" : value.startsWith("\0") ? value : "1"))
    .join("");
}

/** Returns a position of a list with the meaning of its order, which decides whether a later page may continue from it. */
export function withMeaning(position: string, meaning: string): string {
  return `${position.slice(0, position.lastIndexOf("]"))}, ${JSON.stringify(meaning)}]`;
}

let latest: { readonly key: string; readonly keys: CursorKeys } | undefined;

/** Every full page has a cursor, so the latest keys are cached. */
function keysOf(key: string): CursorKeys {
  if (latest?.key !== key) latest = { key, keys: deriveKeys(key) };
  return latest.keys;
}

function notOurs(path: string): AppError {
  return createError("QUERY_INVALID", {
    path,
    message: "This is not a cursor of this query",
  });
}

/**
 * Marks a to-many list in the text of a response. It is a secret of this process, so that no row can contain it.
 * PostgreSQL writes it as the last element of a list with more rows than the response shows, as the cursor of a page of
 * related rows, with the position of the last row, and in place of a page whose cursor belongs to another row.
 */
export const listMark = `more ${randomUUID()}`;

const cuts = new RegExp(`,"${listMark}\\.(\\d+)"`, "g");
const positions = new RegExp(`"${listMark}>(\\d+) ((?:[^"\\\\]|\\\\.)*)"`, "g");
const misplaced = new RegExp(`"${listMark}!(\\d+)"`);

/**
 * Removes the marks.
 *
 * @param paths the paths of the lists, by the number in their mark
 * @param cursorAt returns the cursor of a position in the rows of a relation
 * @returns the text and the paths of the relations of which a list has more rows
 * @throws AppError QUERY_INVALID for a cursor of another row
 */
export function takeMarks(
  data: string,
  paths: readonly string[],
  cursorAt: (path: string, position: string) => string,
): { readonly data: string; readonly more: readonly string[] } {
  if (paths.length === 0 || !data.includes(listMark)) return { data, more: [] };
  const [, other] = misplaced.exec(data) ?? [];
  if (other !== undefined) {
    throw createError("QUERY_INVALID", {
      path: `deep[${paths[Number(other)]}][cursor]`,
      message: "This is a cursor of another row",
    });
  }
  const found = new Set<number>();
  const bare = data
    .replaceAll(cuts, (_mark, index: string) => {
      found.add(Number(index));
      return "";
    })
    .replaceAll(positions, (_mark, index: string, written: string) => {
      const position = JSON.parse(`"${written}"`) as string;
      return `"${cursorAt(paths[Number(index)] ?? "", position)}"`;
    });
  return { data: bare, more: paths.filter((_path, index) => found.has(index)) };
}
