import "@/ui/theme.css";
import { mountPage } from "../shared/mount";
import { ConsentApp } from "./ConsentApp";

await mountPage(<ConsentApp />);
