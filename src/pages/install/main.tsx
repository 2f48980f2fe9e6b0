import "@/ui/theme.css";
import { mountPage } from "../shared/mount";
import { InstallApp } from "./InstallApp";

await mountPage(<InstallApp />);
