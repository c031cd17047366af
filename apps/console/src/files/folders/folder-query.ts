import { queryOptions } from "@tanstack/react-query";
import { filesKey } from "../../records/library/file-queries.ts";
import { type FolderRecord, foldersAddress } from "../../records/library/file-record.ts";
import { client } from "../../shell/client.ts";
import { FolderTree } from "./folder-tree.ts";

const pageSize = 500;

/** All folders that the person may read. */
export const folderTreeQuery = queryOptions({
  queryKey: [...filesKey, "folders"],
  queryFn: async ({ signal }) => {
    const options = { limit: pageSize, signal };
    const folders: FolderRecord[] = [];
    for await (const row of await client.from(foldersAddress).list(options)) {
      folders.push(row as unknown as FolderRecord);
    }
    return new FolderTree(folders);
  },
});
