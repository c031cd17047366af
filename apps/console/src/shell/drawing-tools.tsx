import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { Zoom } from "../ui/drawing/use-zoom.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Maximize, Minus, Plus } from "../ui/icons.generated.ts";

interface DrawingToolsProps {
  readonly zoom: Zoom;
  /** Further tools. */
  readonly children?: ReactNode;
}

/** The buttons for the size of a drawing. */
export function DrawingTools({ zoom, children }: DrawingToolsProps) {
  const t = useTranslations("drawing");
  const format = useFormatter();
  return (
    <div
      role="toolbar"
      aria-label={t("tools")}
      className="flex flex-wrap items-center gap-1 print:hidden"
    >
      <IconButton label={t("zoomIn")} icon={Plus} onPress={zoom.in} />
      <IconButton label={t("zoomOut")} icon={Minus} onPress={zoom.out} />
      <IconButton label={t("fit")} icon={Maximize} onPress={zoom.fit} />
      <bdi className="w-12 text-center text-2 text-ink-2 tabular-nums">
        {format.number(zoom.scale, { style: "percent" })}
      </bdi>
      {children}
    </div>
  );
}
