import { useQueryClient } from "@tanstack/react-query";
import { filesKey } from "../../records/library/file-queries.ts";
import { filesAddress } from "../../records/library/file-record.ts";
import { client } from "../../shell/client.ts";

/** A file as the panel shows it, with the tag of its row. */
export interface ShownFile {
  readonly id: string;
  readonly etag: string | undefined;
}

/** The writes of a file, in the version that the person sees. After a refusal the present version is read too. */
export function useFileWrite({ id, etag }: ShownFile) {
  const queries = useQueryClient();
  const files = client.from(filesAddress);
  const options = etag === undefined ? {} : { ifMatch: etag };
  const written = async (work: Promise<unknown>): Promise<void> => {
    // A dialog closes before the new version arrives, about which it would ask something else.
    await work.finally(() => void queries.invalidateQueries({ queryKey: filesKey }));
  };
  return {
    update: (change: Readonly<Record<string, unknown>>) =>
      written(files.update(id, change, options)),
    remove: () => written(files.remove(id, options)),
  };
}
