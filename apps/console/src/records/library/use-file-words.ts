import { useFormatter, useTranslations } from "use-intl";
import { fileSize } from "../../ui/save-file.ts";
import type { FileRecord } from "./file-record.ts";

/** Returns the texts for the values of files. */
export function useFileWords() {
  const t = useTranslations("files");
  const format = useFormatter();
  const size = (bytes: number): string => {
    const { number, options } = fileSize(bytes);
    return format.number(number, options);
  };
  return {
    size,
    /** The name by which people know a file; one that they may not read is replaced by the id. */
    name: ({ id, name, title }: FileRecord): string => title || name || t("unnamed", { id }),
    /** Undefined for an unknown size. */
    sizeOf: ({ bytes }: FileRecord): string | undefined =>
      bytes === null || bytes === undefined ? undefined : size(Number(bytes)),
  };
}
