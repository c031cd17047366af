import { readName } from "@rowhouse/access/written-name";
import type { NavigationResource } from "../../shell/navigation.ts";
import { withTitles } from "../model/known-titles.ts";
import { keyOf } from "../model/resource.ts";
import type { GridRow, LoadRows, RowPage } from "../rows/row-store.ts";
import type { ReadingAnswer, ReadingQuery, ReadRows } from "./open-reading.ts";

/** Returns the rows of an answer as a page shows them. @param offset rows before the first of them */
export function rowsOfAnswer(
  resource: NavigationResource,
  { data, meta }: ReadingAnswer,
  offset: number,
): readonly GridRow[] {
  const { etags = [] } = meta ?? {};
  const titles = Object.fromEntries(
    data.fields.flatMap((field) =>
      field.titles === undefined ? [] : [[readName(field.name), field.titles]],
    ),
  );
  return data.rows.map((row, index) => {
    const values = withTitles(row, titles);
    const key = keyOf(resource, values);
    const id = key === null ? `at ${offset + index}` : JSON.stringify(key);
    return { id, key, values, etag: etags[index] };
  });
}

/** Returns the function that loads the first page of a reading. @param known an answer that has arrived already */
export function firstReadingPage(
  resource: NavigationResource,
  read: ReadRows,
  query: ReadingQuery,
  known?: ReadingAnswer,
): LoadRows {
  // The whole is counted and summed up once.
  const { count: _count, summaries: _summaries, ...later } = query;
  const toPage = (answer: ReadingAnswer, offset: number): RowPage => {
    const rows = rowsOfAnswer(resource, answer, offset);
    const cursor = answer.meta?.nextCursor ?? null;
    return {
      rows,
      next:
        cursor === null
          ? null
          : async (signal) =>
              toPage(await read({ ...later, cursor }, signal), offset + rows.length),
    };
  };
  let first = known;
  return async (signal) => {
    const answer = first ?? (await read(query, signal));
    // A refresh reads again.
    first = undefined;
    return toPage(answer, 0);
  };
}
