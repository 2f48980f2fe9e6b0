import "@/ui/theme.css";
import { mountPage } from "../shared/mount";
import { OptionsApp } from "./OptionsApp";

await mountPage(<OptionsApp />);
