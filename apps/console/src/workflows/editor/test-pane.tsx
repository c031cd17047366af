import { type ComponentProps, lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { Skeleton } from "../../ui/skeleton.tsx";

const TestPanel = lazy(() =>
  import("../test/test-panel.tsx").then((module) => ({ default: module.TestPanel })),
);

/** The test of the draft. Its input and its mocks stay while the form is shown in its place. */
export function TestPane(props: ComponentProps<typeof TestPanel> & { readonly isShown: boolean }) {
  const { isShown, ...panel } = props;
  const words = useTranslations("manage");
  const [wasShown, setShown] = useState(isShown);
  if (isShown && !wasShown) setShown(true);
  if (!wasShown) return null;
  return (
    <div hidden={!isShown}>
      <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
        <TestPanel {...panel} />
      </Suspense>
    </div>
  );
}
