import { useTranslations } from "use-intl";
import { CircleAlert, TriangleAlert } from "../../ui/icons.generated.ts";
import type { PlacedFault } from "../model/faults.ts";
import { keysOf } from "../model/pointer.ts";

interface FaultListProps {
  readonly faults: readonly PlacedFault[];
  /** Shows the place of a fault. */
  readonly onOpen: (fault: PlacedFault) => void;
}

/** The faults of a definition, each as a button that shows its place. */
export function FaultList({ faults, onOpen }: FaultListProps) {
  const t = useTranslations("workflowEditor");
  return (
    <ul aria-label={t("faults")} className="grid max-h-48 overflow-y-auto">
      {faults.map((fault) => {
        const isWarning = fault.severity === "WARNING";
        const Icon = isWarning ? TriangleAlert : CircleAlert;
        return (
          <li key={`${fault.path} ${fault.code} ${fault.message}`}>
            <button
              type="button"
              onClick={() => onOpen(fault)}
              className="flex min-h-7 w-full items-start gap-2 rounded-control px-2 py-1 text-left hover:bg-sunken"
            >
              <Icon
                size={14}
                aria-label={t(isWarning ? "warning" : "fault")}
                className={`mt-0.75 shrink-0 ${isWarning ? "text-warn" : "text-danger"}`}
              />
              <span className="min-w-0 wrap-anywhere">
                <bdi className="font-medium">{placeText(fault)}</bdi>{" "}
                <span lang="en">{fault.message}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Where a fault is: the step and the field in it. */
function placeText({ step, inside }: PlacedFault): string {
  return [...(step === undefined ? [] : [step.key]), ...keysOf(inside)].join(" › ");
}
