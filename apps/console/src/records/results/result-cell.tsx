import { useTranslations } from "use-intl";
import { textOf } from "./result-rows.ts";

const shownMax = 300;

/** A value as the service sent it. Null and an empty text look different; long texts are cut. */
export function ResultCell({ value }: { readonly value: unknown }) {
  const t = useTranslations("sql");
  const text = textOf(value);
  if (text === null) return <code className="text-ink-3 italic">NULL</code>;
  if (text === "") return <span className="text-ink-3 italic">{t("emptyText")}</span>;
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  return (
    <span
      dir="auto"
      title={shown}
      className="inline-block max-w-96 truncate align-middle whitespace-pre"
    >
      {shown}
    </span>
  );
}
