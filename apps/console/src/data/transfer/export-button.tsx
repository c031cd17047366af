import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Download, FileJson, FileSpreadsheet } from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

/** Chooses the format of an export and starts it. */
export function ExportButton({
  onExport,
}: {
  readonly onExport: (format: "csv" | "ndjson") => void;
}) {
  const t = useTranslations("transfer");
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <ToolButton
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t("export")}
        onClick={() => setOpen(true)}
      >
        <Download size={15} aria-hidden="true" />
        <span className="max-sm:hidden">{t("export")}</span>
      </ToolButton>
      {isOpen && (
        <OpenMenu
          label={t("export")}
          beside={button}
          onClose={() => setOpen(false)}
          groups={[
            {
              id: "format",
              title: t("exportScope"),
              entries: [
                {
                  id: "csv",
                  label: t("csv"),
                  icon: FileSpreadsheet,
                  onPress: () => onExport("csv"),
                },
                {
                  id: "ndjson",
                  label: t("ndjson"),
                  icon: FileJson,
                  onPress: () => onExport("ndjson"),
                },
              ],
            },
          ]}
        />
      )}
    </>
  );
}
