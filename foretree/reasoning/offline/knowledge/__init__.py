"""Knowledge that people leave unsaid: needs and what meets them, and kinds of things by their uses."""
