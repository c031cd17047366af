import { type ComponentProps, lazy, Suspense } from "react";
import { useTranslations } from "use-intl";
import { Skeleton } from "../../ui/skeleton.tsx";
import { fieldOf } from "../model/definition.ts";
import { FirstStep } from "./first-step.tsx";
import { StepTree } from "./step-tree.tsx";

const StepGraph = lazy(() =>
  import("./step-graph.tsx").then((module) => ({ default: module.StepGraph })),
);

/** The steps as a graph or as a tree. Without steps, the usual first ones are offered above it. */
export function StepViews(props: ComponentProps<typeof StepGraph> & { readonly isGraph: boolean }) {
  const { isGraph, name, ...view } = props;
  const words = useTranslations("manage");
  const steps = fieldOf(view.definition, "steps");
  const isEmpty = !Array.isArray(steps) || steps.length === 0;
  return (
    <>
      {isEmpty && <FirstStep {...view} />}
      {isGraph ? (
        <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
          <StepGraph {...view} name={name} />
        </Suspense>
      ) : (
        <StepTree {...view} />
      )}
    </>
  );
}
