import { Route, Switch } from "wouter";
import { ModelEditPage, ModelNewPage } from "./ModelEdit";
import { ModelList } from "./ModelList";

/** `/models` is the list, `/models/new` and `/models/<id>` the form. */
export function ModelsPage() {
  return (
    <Switch>
      <Route path="/models/new">
        <ModelNewPage />
      </Route>
      <Route path="/models/:id">{({ id }) => <ModelEditPage key={id} id={id} />}</Route>
      <Route>
        <ModelList />
      </Route>
    </Switch>
  );
}
