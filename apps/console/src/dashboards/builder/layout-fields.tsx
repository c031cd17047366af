import { useTranslations } from "use-intl";
import type { Panel } from "./draft.ts";
import { columnCount, limits, type Place } from "./layout.ts";
import { NumberField } from "./number-field.tsx";

interface LayoutFieldsProps {
  readonly panel: Panel;
  readonly fault: string | undefined;
  readonly onMove: (place: Place) => void;
}

/** The place and the size of a panel as numbers, so that nothing needs dragging. */
export function LayoutFields({ panel, fault, onMove }: LayoutFieldsProps) {
  const t = useTranslations("dashboardBuilder");
  const { x, y, w, h } = panel.layout;
  const move = (changes: Partial<Place>) => onMove({ ...panel.layout, ...changes });
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{t("place")}</legend>
      <div className="grid grid-cols-2 gap-2">
        <NumberField
          label={t("fromLeft")}
          value={x + 1}
          min={1}
          max={columnCount - w + 1}
          onChange={(value) => move({ x: (value ?? 1) - 1 })}
        />
        <NumberField
          label={t("fromTop")}
          value={y + 1}
          min={1}
          max={limits.yMax + 1}
          onChange={(value) => move({ y: (value ?? 1) - 1 })}
        />
        <NumberField
          label={t("width")}
          value={w}
          min={limits.w.min}
          max={limits.w.max}
          onChange={(value) => move({ w: value ?? 1, x: Math.min(x, columnCount - (value ?? 1)) })}
        />
        <NumberField
          label={t("height")}
          value={h}
          min={limits.h.min}
          max={limits.h.max}
          onChange={(value) => move({ h: value ?? 1 })}
        />
      </div>
      {fault !== undefined && <p className="text-2 text-danger">{fault}</p>}
    </fieldset>
  );
}
