import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import type { Listing } from "../../shell/use-listing.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** A list under a heading, with its states: loading, failed, more to load. */
export function ListFrame<Item>(props: {
  readonly title: string;
  readonly list: Listing<Item>;
  readonly children: (items: readonly Item[]) => ReactNode;
}) {
  const words = useTranslations("manage");
  const { list } = props;
  return (
    <Section title={props.title}>
      {list.error !== null && <FailureNotice error={list.error} onRetry={list.reload} />}
      {list.items === undefined && list.error === null && (
        <Skeleton label={words("loading")} rows={5} />
      )}
      {list.items !== undefined && props.children(list.items)}
      {list.hasMore && (
        <div>
          <Button isBusy={list.isLoadingMore} onPress={list.loadMore}>
            {words("more")}
          </Button>
        </div>
      )}
    </Section>
  );
}
