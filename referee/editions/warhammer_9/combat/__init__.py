"""Close combat: who fights, results, challenges."""
