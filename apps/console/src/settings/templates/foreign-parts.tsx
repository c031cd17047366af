import { useTranslations } from "use-intl";
import { Notice } from "../../ui/notice.tsx";
import type { ForeignPart } from "./use-template-draft.ts";

/** Says that another administrator has saved the template meanwhile, with the text of the parts that both have changed. */
export function ForeignParts({ parts }: { readonly parts: readonly ForeignPart[] }) {
  const t = useTranslations("templates");
  return (
    <Notice kind="danger">
      <p>{t(parts.length === 0 ? "mergedMeanwhile" : "changedMeanwhile")}</p>
      {parts.map(({ name, text }) => (
        <div key={name} className="mt-2 grid gap-1">
          <p className="font-medium">{t("theirs", { part: t(`parts.${name}`) })}</p>
          <code className="block font-mono text-2 whitespace-pre-wrap wrap-anywhere" dir="auto">
            {text ?? t("noHtml")}
          </code>
        </div>
      ))}
    </Notice>
  );
}
