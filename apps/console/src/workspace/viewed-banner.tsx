import { useTranslations } from "use-intl";
import { stopViewing, viewedAs } from "../shell/viewed-as.ts";
import { Eye } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";

/** States whom an administrator views the workspace as, and leads back. */
export function ViewedBanner() {
  const t = useTranslations("workspace");
  const viewed = viewedAs();
  if (viewed === null) return null;
  return (
    <section
      aria-label={t("viewed")}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-warn-soft px-4 py-1.5 text-warn"
    >
      <Eye size={16} aria-hidden="true" className="shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {t.rich("viewedAs", { name: () => <bdi className="font-semibold">{viewed.name}</bdi> })}
      </p>
      <ToolButton onClick={stopViewing}>{t("stopViewing")}</ToolButton>
    </section>
  );
}
