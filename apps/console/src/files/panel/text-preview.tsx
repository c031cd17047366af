import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { FileRecord } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { client } from "../../shell/client.ts";
import { Notice } from "../../ui/notice.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Bytes of a text that are shown. */
const shownMax = 64_000;

/** The beginning of a text file. */
export function TextPreview(props: { readonly file: FileRecord; readonly label: string }) {
  const { file, label } = props;
  const t = useTranslations("files.details");
  const words = useFileWords();
  const isCut = Number(file.bytes) > shownMax;
  const { data, error } = useQuery({
    queryKey: ["file text", file.id, file.sha256],
    queryFn: async ({ signal }) => {
      const range = isCut ? { range: { start: 0, end: shownMax - 1 } } : {};
      return (await client.files.download(file.id, { ...range, signal })).text();
    },
  });
  if (error !== null) return <Notice kind="danger">{t("previewFailed")}</Notice>;
  if (data === undefined) return <Skeleton label={label} rows={4} />;
  return (
    <div className="grid gap-1">
      <ScrollRegion label={label} className="max-h-60">
        <pre className="p-2 font-mono text-2 whitespace-pre-wrap wrap-anywhere" dir="auto">
          {data}
        </pre>
      </ScrollRegion>
      {isCut && <p className="text-2 text-ink-2">{t("textCut", { size: words.size(shownMax) })}</p>}
    </div>
  );
}
