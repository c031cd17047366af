import { describe, expect, it } from "vitest";
import { columnModels, imageColumns } from "../../src/structure/model/column-model.ts";
import { compileDraft, compileNewTable } from "../../src/structure/model/compile-draft.ts";
import {
  createColumn,
  createTableDraft,
  type Draft,
  emptyDraft,
} from "../../src/structure/model/draft.ts";
import {
  endFileColumn,
  makeFileColumn,
  removeNewColumn,
} from "../../src/structure/model/edit-draft.ts";
import type { Table } from "../../src/structure/model/queries.ts";

const table: Table = {
  ...{ schema: "shop", name: "orders", resourceId: "1", comment: null, primaryKey: null },
  ...{ columns: [], uniques: [], checks: [], exclusions: [], foreignKeys: [], indexes: [] },
  ...{ referencedBy: [], searches: [] },
} as unknown as Table;
const photo = { ...createColumn(), name: "photo_id" };
const withColumn = (draft: Draft): Draft => ({ ...draft, added: [...draft.added, photo] });
const changesOf = (draft: Draft) => compileDraft(table, draft).changes.map(({ change }) => change);
const reference = { targetSchema: "system", targetTable: "files" };

describe("a new column of files", () => {
  it("is a column and its foreign key, in this order", () => {
    const draft = makeFileColumn(withColumn(emptyDraft), photo.id, true);
    expect(changesOf(draft)).toEqual([
      { kind: "addColumn", name: "photo_id", dataType: "uuid" },
      {
        ...{ kind: "addForeignKey", columns: ["photo_id"], ...reference },
        ...{ targetColumns: ["id"], onDelete: "NO ACTION" },
      },
    ]);
    expect(imageColumns(draft)).toEqual(["photo_id"]);
  });

  it("is part of the definition of a new table", () => {
    const draft = makeFileColumn(withColumn(createTableDraft()), photo.id, false);
    expect(compileNewTable(draft).columns.at(-1)).toEqual({
      ...{ name: "photo_id", dataType: "uuid" },
      foreignKey: { ...reference, targetColumn: "id", onDelete: "NO ACTION" },
    });
    expect(imageColumns(draft)).toEqual([]);
    expect(columnModels(null, draft).at(-1)?.fileFormat).toBe("file");
  });

  it("has one foreign key after a change between image and file, and none after another type", () => {
    const image = makeFileColumn(withColumn(emptyDraft), photo.id, true);
    const file = makeFileColumn(image, photo.id, false);
    expect(changesOf(file)).toHaveLength(2);
    expect(imageColumns(file)).toEqual([]);
    const plain = endFileColumn(image, photo.id, "text");
    expect(changesOf(plain)).toEqual([{ kind: "addColumn", name: "photo_id", dataType: "text" }]);
    expect(imageColumns(plain)).toEqual([]);
    expect(changesOf(removeNewColumn(image, photo.id))).toEqual([]);
  });
});
