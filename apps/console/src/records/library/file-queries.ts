import { RowhouseError } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { type FileRecord, fileFields, filesAddress } from "./file-record.ts";

/** The beginning of the keys of every query about files and folders. */
export const filesKey = ["files"] as const;

/** A file with the tag of its row; null if it is missing or not open to the person. */
export function fileQuery(resource: NavigationResource, id: string) {
  return queryOptions({
    queryKey: [...filesKey, "file", id],
    queryFn: async ({ signal }) => {
      const fields = fileFields(resource);
      try {
        const { row, etag } = await client.from(filesAddress).get(id, { fields, signal });
        return { file: row as unknown as FileRecord, etag };
      } catch (error) {
        const isMissing = error instanceof RowhouseError && [400, 404].includes(error.status);
        if (isMissing) return null;
        throw error;
      }
    },
  });
}

/** Which files a list shows. */
interface FileFilter {
  readonly where: Readonly<Record<string, unknown>>;
  readonly orderBy: readonly string[];
}

const pageSize = 60;

/** Loads a page of files, as `useListing` takes it. */
export async function loadFiles(
  resource: NavigationResource,
  { where, orderBy }: FileFilter,
  { cursor }: { readonly cursor?: string },
  signal: AbortSignal,
) {
  const { rows, meta } = await client.from(filesAddress).list({
    ...{ fields: fileFields(resource), where, orderBy, limit: pageSize, signal },
    ...(cursor === undefined ? {} : { cursor }),
  });
  return {
    data: rows as unknown as readonly FileRecord[],
    meta: { nextCursor: meta.nextCursor ?? null },
  };
}

/** Returns the filter of files whose texts contain a text. */
export function searchFilter(
  resource: NavigationResource,
  text: string,
): Readonly<Record<string, unknown>> {
  const texts = fileFields(resource).filter((name) =>
    ["name", "title", "description", "media_type"].includes(name),
  );
  return { _or: texts.map((name) => ({ [name]: { _icontains: text } })) };
}
