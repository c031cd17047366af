import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { Definition, SavedView } from "./view-definition.ts";

/** The person's saved views of a resource, and what changes them. */
export function useSavedViews(resourceId: string) {
  const cache = useQueryClient();
  const queryKey = ["saved-views", resourceId];
  const { data: views = [], error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await client.app.get("/saved-views", { query: { resourceId }, signal })).data,
  });
  const task = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  });
  const run = (work: () => Promise<void>) => task.mutate(work);
  return {
    views,
    error: task.error ?? error,
    isBusy: task.isPending,
    save: (name: string, definition: Definition, onSaved: (view: SavedView) => void) =>
      run(async () => {
        const data = { resourceId, name, definition };
        onSaved((await client.app.post("/saved-views", { data })).data);
      }),
    update: (id: string, data: { readonly name?: string; readonly definition?: Definition }) =>
      run(async () => {
        await client.app.patch("/saved-views/{id}", { path: { id }, data });
      }),
    remove: (id: string, onRemoved: () => void) =>
      run(async () => {
        await client.app.delete("/saved-views/{id}", { path: { id } });
        onRemoved();
      }),
    /** Moves a view by one place. All positions are written, because new views can share one. */
    move: (id: string, by: -1 | 1) =>
      run(async () => {
        const order = views.map((view) => view.id);
        const from = order.indexOf(id);
        const to = Math.max(0, Math.min(order.length - 1, from + by));
        order.splice(to, 0, ...order.splice(from, 1));
        for (const [position, one] of order.entries()) {
          if (views.find((view) => view.id === one)?.position === position) continue;
          await client.app.patch("/saved-views/{id}", { path: { id: one }, data: { position } });
        }
      }),
  };
}
