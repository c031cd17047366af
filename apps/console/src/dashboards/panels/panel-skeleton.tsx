import { Skeleton } from "../../ui/skeleton.tsx";
import type { OpenPanel } from "../model/open-panel.ts";

const heights = ["45%", "70%", "55%", "85%", "60%", "40%", "75%"];

interface PanelSkeletonProps {
  readonly kind: OpenPanel["kind"];
  readonly label: string;
}

/** The place of a panel's content while it is read, in the form that it will have. */
export function PanelSkeleton({ kind, label }: PanelSkeletonProps) {
  if (kind === "LIST" || kind === "PIVOT" || kind === "TEXT") {
    return (
      <div className="min-h-0 overflow-hidden">
        <Skeleton label={label} rows={5} />
      </div>
    );
  }
  return (
    <div role="status" aria-busy="true" aria-label={label} className="min-h-6 overflow-hidden">
      {kind === "FIGURE" ? (
        <div className="h-8 w-1/2 rounded-control bg-sunken" />
      ) : (
        <div className="flex h-full items-end gap-3 border-line border-b px-3">
          {heights.map((height) => (
            <div key={height} className="flex-1 rounded-t-control bg-sunken" style={{ height }} />
          ))}
        </div>
      )}
    </div>
  );
}
