import "@/ui/theme.css";
import { mountPage } from "../shared/mount";
import { PopupApp } from "./PopupApp";

await mountPage(<PopupApp />);
