import { useTranslations } from "use-intl";
import type { LoopItem } from "./step-index.ts";

/** A strip has at most this many marks; the failed items come first. */
const marksMax = 10;

const looks: Readonly<Record<LoopItem["status"], string>> = {
  FAILED: "bg-danger",
  OPEN: "bg-accent",
  SUCCEEDED: "bg-ok",
};

/** The items of a loop as marks, the failed ones first. */
export function ItemStrip({ items }: { readonly items: readonly LoopItem[] }) {
  const t = useTranslations("workflows");
  const failed = items.filter(({ status }) => status === "FAILED").length;
  const text = t("itemCounts", { count: items.length, failed });
  return (
    <span title={text} className="flex gap-0.5">
      <span className="sr-only">{text}</span>
      {marksOf(items).map((status, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mark is its position
        <span key={at} aria-hidden="true" className={`h-3.5 w-2 rounded-[2px] ${looks[status]}`} />
      ))}
    </span>
  );
}

/** One mark for each item, or for a share of many: at least one for each status that occurs. */
function marksOf(items: readonly LoopItem[]): readonly LoopItem["status"][] {
  if (items.length <= marksMax) return items.map(({ status }) => status);
  const count = (status: LoopItem["status"]) =>
    items.filter((item) => item.status === status).length;
  const share = (status: LoopItem["status"]) =>
    count(status) === 0 ? 0 : Math.max(1, Math.round((count(status) / items.length) * marksMax));
  const [failed, open] = [share("FAILED"), share("OPEN")];
  return Array.from({ length: marksMax }, (_, at) =>
    at < failed ? "FAILED" : at < failed + open ? "OPEN" : "SUCCEEDED",
  );
}
