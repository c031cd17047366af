import { describe, expect, it } from "vitest";
import { FolderTree } from "../../src/files/folders/folder-tree.ts";

const folder = (id: string, name: string, parent_id: string | null = null) => ({
  ...{ id, name, parent_id },
});
const plans = folder("p", "Plans");
const old = folder("o", "Old", "p");
const tenth = folder("t", "Plan 10", "p");
const second = folder("s", "Plan 2", "p");
const orphan = folder("x", "Shared", "hidden");
const tree = new FolderTree([plans, old, tenth, second, orphan]);

describe("the folders that a person may read", () => {
  it("are those within a folder, with numbers in their order", () => {
    expect(tree.within(plans)).toEqual([old, second, tenth]);
    expect(tree.within(old)).toEqual([]);
  });

  it("stand at the top if their parent is hidden", () => {
    expect(tree.within(undefined)).toEqual([plans, orphan]);
    expect(tree.path(orphan)).toEqual([orphan]);
  });

  it("have a path from the top, which ends even if two of them contain each other", () => {
    expect(tree.path(second)).toEqual([plans, second]);
    const circle = [folder("a", "A", "b"), folder("b", "B", "a")];
    expect(new FolderTree(circle).path(circle[0])).toHaveLength(2);
  });

  it("are destinations, except a folder that moves and those in it", () => {
    expect(tree.destinations(undefined).map(({ label }) => label)).toEqual([
      "Plans",
      "Plans / Old",
      "Plans / Plan 2",
      "Plans / Plan 10",
      "Shared",
    ]);
    expect(tree.destinations(plans).map(({ id }) => id)).toEqual(["x"]);
  });
});
