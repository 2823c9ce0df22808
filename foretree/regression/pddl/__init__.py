"""Problems that others wrote: any folder of PDDL, planned side by side with Fast Downward."""
