import { Route, Switch } from "wouter";
import { ScriptList } from "./ScriptList";
import { ScriptPage } from "./ScriptPage";

type ScriptAddress = { uuid: string; tab?: string; line?: string };

/** `/scripts` is the list, `/scripts/<uuid>/<tab>` one script. */
export function ScriptsPage() {
  return (
    <Switch>
      <Route<ScriptAddress> path="/scripts/:uuid/:tab?/:line?">
        {({ uuid, tab, line }) => <ScriptPage key={uuid} uuid={uuid} tab={tab} line={line} />}
      </Route>
      <Route>
        <ScriptList />
      </Route>
    </Switch>
  );
}
